# Writes dumps of rpart trees with what they predict, for tests/readers/test_rpart.py: Rscript tools/golden/write_rpart.R
# Needs rpart; the JSON goes to standard output, "python -m tools.golden.write_rpart" packs it.
library(rpart)
source("docs/rpart_dump.R")
set.seed(7)
n <- 400
data <- data.frame(
  a = round(rnorm(n), 2), b = round(runif(n, 0, 10), 1),
  colour = factor(sample(c("red", "green", "blue", "grey"), n, TRUE)),
  grade = factor(sample(c("low", "mid", "high"), n, TRUE), levels = c("low", "mid", "high"), ordered = TRUE),
  count = sample(0:5, n, TRUE)
)
signal <- data$a + (data$colour %in% c("red", "blue")) * (data$b > 5) - (data$grade == "low") + 0.3 * rnorm(n)
data$y <- signal
data$class <- factor(ifelse(signal > 0.8, "yes", ifelse(signal > -0.4, "maybe", "no")))
data$events <- rpois(n, exp(signal / 2))
data$time <- round(runif(n, 0.5, 2), 2)
for (name in c("a", "b", "colour", "grade")) data[[name]][sample(n, 40)] <- NA
rows <- data[1:160, ]
for (name in c("a", "b", "colour", "grade", "count")) rows[[name]][sample(160, 50)] <- NA
f <- function(y) as.formula(paste(y, "~ a + b + colour + grade + count"))
small <- rpart.control(cp = 0.004, minsplit = 12)
fits <- list(
  class = rpart(f("class"), data, control = small),
  prior = rpart(f("class"), data, parms = list(prior = c(0.2, 0.5, 0.3)), control = small),
  loss = rpart(f("class"), data, parms = list(loss = matrix(c(0, 1, 2, 3, 0, 1, 1, 1, 0), 3)), control = small),
  anova = rpart(f("y"), data, control = small),
  stay = rpart(f("y"), data, control = rpart.control(cp = 0.004, usesurrogate = 1)),
  none = rpart(f("y"), data, control = rpart.control(cp = 0.004, usesurrogate = 0)),
  majority = rpart(f("y"), data, control = rpart.control(cp = 0.004, maxsurrogate = 0)),
  poisson = rpart(f("cbind(time, events)"), data, method = "poisson", control = small),
  root = rpart(f("y"), data, control = rpart.control(cp = 0.99))
)
# Cuts themselves, and their neighbours.
edges <- rows[rep(1:40, length.out = 60), ]
cuts <- fits$anova$splits[rownames(fits$anova$splits) == "a", 4]
edges$a <- rep_len(c(cuts, cuts * (1 + 2^-52), cuts * (1 - 2^-52)), 60)
rows <- rbind(rows, edges)
out <- list(rows = as.list(rows[c("a", "b", "colour", "grade", "count")]), fits = list())
for (name in names(fits)) {
  fit <- fits[[name]]
  file <- tempfile()
  rpart_dump(fit, file)
  classes <- fit$method == "class"
  out$fits[[name]] <- list(
    dump = paste(readLines(file), collapse = "\n"),
    predicted = if (classes) as.character(predict(fit, rows, type = "class")) else unname(predict(fit, rows)),
    probability = if (classes) unname(predict(fit, rows)) else NULL
  )
}
cat(as_json(out))
