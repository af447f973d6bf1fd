"""Trees and what is known of them as pictures: our own layout, SVG without any package, matplotlib for the rest."""
