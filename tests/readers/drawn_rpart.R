# Writes random trees of rpart with what they predict of hostile rows, one JSON object a line:
# Rscript tests/readers/drawn_rpart.R FIRST LAST > FILE, in the folder of the repository. Needs rpart.
library(rpart)
source("docs/rpart_dump.R")
options(warn = -1)
pick <- function(x) x[[sample.int(length(x), 1)]]
labels <- list(c("k", "春", "x y", "ü", "5", "NA ", "true"), c("10", "9", "2"), c("b", "a"))
names_of <- c("a", "年龄", "x 1", "b.c", "größe", "if")

column <- function(n) {
  x <- pick(list(
    function() rnorm(n), function() round(rnorm(n), 1), function() sample(-2:3, n, TRUE), function() rnorm(n) * 1e300,
    function() sample(c(-Inf, -1, 0, 1, Inf), n, TRUE), function() 1 + sample(0:4, n, TRUE) * 2^-52,
    function() rep(2.5, n), function() sample(c(TRUE, FALSE), n, TRUE),
    function() { l <- pick(labels); factor(sample(l[-1], n, TRUE), levels = l) },
    function() { l <- pick(labels); factor(sample(l, n, TRUE), levels = l) },
    function() { l <- pick(labels); factor(sample(l, n, TRUE), levels = l, ordered = TRUE) },
    function() sample(pick(labels), n, TRUE)
  ))()
  if (runif(1) < 0.4) x[sample.int(n, n %/% 5)] <- NA
  x
}

codes <- function(x) if (is.character(x)) as.integer(factor(x)) else as.numeric(x)
signal <- function(data) {
  total <- 0.3 * rnorm(nrow(data))
  for (x in data) {
    r <- match(codes(x), sort(unique(codes(x)), na.last = TRUE))
    total <- total + if (max(r) < 20) sample(seq(-1, 1, length.out = max(r)))[r] else r / nrow(data)
  }
  total
}

about <- function(cuts) {
  near <- unlist(lapply(cuts, function(x) c(x, x * (1 + 2^-52), x * (1 - 2^-53), x - 2^-1074, x + 2^-1074)))
  c(near, NA, NaN, Inf, -Inf, 0, -0.0, 1e-320, 1.7e308, -1.7e308, 1)
}

hostile <- function(data, fit) {
  rows <- data[sample.int(nrow(data), 120, TRUE), , drop = FALSE]
  for (name in names(data)) {
    x <- data[[name]]
    at <- which(runif(120) < 0.4)
    if (is.factor(x)) rows[[name]][at] <- sample(c(levels(x), NA), length(at), TRUE)
    else if (is.character(x)) rows[[name]][at] <- sample(c(sort(unique(x)), NA), length(at), TRUE)
    else if (is.logical(x)) rows[[name]][at] <- sample(c(TRUE, FALSE, NA), length(at), TRUE)
    else {
      s <- fit$splits
      cuts <- if (is.null(s)) numeric() else s[rownames(s) == name & abs(s[, 2]) == 1, 4]
      rows[[name]][at] <- sample(about(cuts), length(at), TRUE)
    }
  }
  rows
}

one <- function(seed) {
  set.seed(seed)
  n <- sample(20:250, 1)
  data <- as.data.frame(lapply(1:sample(1:5, 1), function(j) column(n)))
  names(data) <- names_of[seq_along(data)]
  s <- signal(data)
  method <- pick(c("anova", "class", "poisson", if (requireNamespace("survival", quietly = TRUE)) "exp"))
  weights <- if (runif(1) < 0.3) sample(c(0.5, 1, 3), n, TRUE) else rep(1, n)
  parms <- NULL
  if (method == "anova") y <- s
  if (method == "class") {
    y <- factor(c("不", "b", "c")[findInterval(s, quantile(s, c(0.3, 0.7))) + 1])
    k <- nlevels(y)
    parms <- list(split = pick(c("gini", "information")))
    if (runif(1) < 0.4) { p <- runif(k) + 0.1; p <- round(p / sum(p), 3); p[1] <- 1 - sum(p[-1]); parms$prior <- p }
    if (runif(1) < 0.4) { parms$loss <- matrix(sample(1:4, k * k, TRUE), k); diag(parms$loss) <- 0 }
  }
  if (method == "poisson") {
    events <- rpois(n, exp(s / 2))
    y <- if (runif(1) < 0.5) events else cbind(runif(n, 0.5, 2), events)
    parms <- list(method = pick(c("deviance", "sqrt")), shrink = pick(c(0, 1, 2)))
  }
  if (method == "exp") y <- survival::Surv(rexp(n, exp(s / 3)), sample(0:1, n, TRUE, c(0.2, 0.8)))
  control <- rpart.control(
    cp = pick(c(0, 0.01)), minbucket = pick(c(1, 5)), minsplit = 5, xval = 0, usesurrogate = pick(0:2),
    maxsurrogate = pick(c(0, 2, 5)), surrogatestyle = pick(0:1), maxcompete = pick(c(0, 3)), maxdepth = pick(c(1, 4, 30))
  )
  formula <- reformulate(sprintf("`%s`", names(data)), "y", env = environment())
  given <- list(formula, data, weights = weights, method = method, control = control)
  fit <- do.call(rpart, if (is.null(parms)) given else c(given, list(parms = parms)))
  rows <- hostile(data, fit)
  file <- tempfile()
  rpart_dump(fit, file)
  classes <- method == "class"
  shown <- lapply(rows, function(x) if (is.logical(x)) as.integer(x) else if (is.numeric(x)) sprintf("%.17g", x) else as.character(x))
  list(
    seed = seed, dump = paste(readLines(file), collapse = "\n"), numeric = names(rows)[vapply(rows, is.numeric, NA)],
    rows = shown, predicted = if (classes) as.character(predict(fit, rows, type = "class")) else unname(predict(fit, rows)),
    probability = if (classes) unname(predict(fit, rows))
  )
}

if (!interactive()) {
  range <- as.integer(commandArgs(TRUE))
  for (seed in range[1]:range[2]) writeLines(as_json(one(seed)), useBytes = TRUE)
}
