# Writes fits of R's earth that the data sets do not call for: long queues of parents, weights, handicaps, several
# responses. Rscript tools/golden/write_earth.R; the JSON goes to standard output, "python -m tools.golden.write_earth" packs it.
library(earth)
source("docs/rpart_dump.R")

columns <- function(n, p, digits = 3) {
  x <- as.data.frame(lapply(seq_len(p), function(j) round(rnorm(n), digits)))
  names(x) <- paste0("x", seq_len(p))
  x
}
additive <- function(x, noise) {
  Reduce(`+`, lapply(seq_along(x), function(j) sin((1 + j / 5) * x[[j]]) / j^0.3)) + noise * rnorm(nrow(x))
}
products <- function(x, noise) {
  abs(x[[1]]) * x[[2]] + pmax(0, x[[3]]) * x[[4]] + x[[5]] * x[[2]] + sin(2 * x[[3]]) + noise * rnorm(nrow(x))
}
fit_of <- function(x, y, ..., weights = NULL) {
  y <- as.matrix(y)
  fit <- earth(x = x, y = y, weights = weights, keepxy = FALSE, ...)
  rows <- function(m) lapply(seq_len(nrow(m)), function(i) unname(m[i, ]))
  gcv <- fit$gcv.per.subset
  list(
    call = list(...), x = lapply(x, function(v) if (is.factor(v)) as.character(v) else v),
    y = rows(t(y)), weights = weights, predictors = colnames(fit$dirs), dirs = rows(fit$dirs), cuts = rows(fit$cuts),
    selected = fit$selected.terms, rss = fit$rss.per.subset, gcv = ifelse(is.finite(gcv), gcv, NA),
    coefficients = rows(t(fit$coefficients))
  )
}

set.seed(11)
n <- 220
wide <- columns(n, 15)
curve <- round(additive(wide, 0.1), 4)
five <- columns(n, 6)
crossed <- round(products(five, 0.2), 4)
weights <- round(runif(n, 0.2, 3), 2)
mixed <- cbind(five[1:4], group = factor(sample(c("north", "south", "west"), n, TRUE)))
shifted <- round(abs(mixed$x1) + (mixed$group == "south") * mixed$x2 + 0.1 * rnorm(n), 4)
coarse <- columns(n, 4, 1)
stepped <- round(abs(coarse$x1 - 0.5) + coarse$x2 * coarse$x3 + 0.3 * rnorm(n), 4)
bent <- round(Reduce(`+`, lapply(1:15, function(j) abs(wide[[j]] - 0.1 * j + 0.8))) + 0.1 * rnorm(n), 4)
cat(as_json(list(
  pairs_alone = fit_of(wide, bent),
  long_queue = fit_of(wide, curve),
  long_queue_of_products = fit_of(wide, curve, degree = 2, nk = 61, thresh = 0),
  products = fit_of(five, crossed, degree = 2, nk = 61, thresh = 1e-5),
  short_queue = fit_of(five, crossed, degree = 2, nk = 41, thresh = 0, fast.k = 5),
  young_first = fit_of(five, crossed, degree = 2, nk = 41, thresh = 0, fast.k = 1, fast.beta = 2),
  weighted = fit_of(wide, curve, weights = weights),
  weighted_products = fit_of(five, crossed, degree = 2, nk = 41, thresh = 1e-4, weights = weights),
  weighted_ties = fit_of(coarse, stepped, degree = 2, nk = 31, thresh = 0, weights = weights),
  equal_weights = fit_of(coarse, stepped, degree = 2, weights = rep(2, n)),
  handicap = fit_of(five, crossed, degree = 2, newvar.penalty = 0.5),
  no_lines = fit_of(mixed, shifted, degree = 2, Auto.linpreds = FALSE, thresh = 1e-4),
  nominal = fit_of(mixed, shifted, degree = 2, nk = 41, thresh = 0),
  responses = fit_of(five, cbind(crossed, round(additive(five, 0.1), 4)), degree = 2, nk = 41),
  weighted_responses = fit_of(five, cbind(crossed, round(additive(five, 0.1), 4)), degree = 3, weights = weights)
)))
