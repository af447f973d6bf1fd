"""Pictures of trees and their statistics: our own layout, SVG without any package, matplotlib for the rest."""
