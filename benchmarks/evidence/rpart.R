# Fits rpart with its defaults to the training rows of every split and writes its leaves and probabilities
# (means of numbers) as doubles.
# A column .test is 0 for rows to learn from, 1 for rows to predict; rpart's pruning by cp needs no cross-validation.
suppressMessages(library(rpart))
args <- commandArgs(TRUE)
source(args[1])
data <- read_columns(args[2])
is_number <- args[4] == "number"
if (!is_number) data$.y <- factor(data$.y)
is_test <- grepl("^\\.test", names(data))
tests <- data[is_test]
data <- data[!is_test]
predicted <- file(args[3], "wb")
for (test in tests) {
  learn <- data[test == 0, ]
  rows_of_class <- if (!is_number) table(learn$.y)
  row_weights <- if (args[4] == "balanced") as.numeric(nrow(learn) / rows_of_class[learn$.y]) else rep(1, nrow(learn))
  method <- if (is_number) "anova" else "class"
  tree <- rpart(.y ~ ., learn, weights = row_weights, method = method, control = rpart.control(xval = 0))
  proba <- predict(tree, data[test == 1, ], type = if (is_number) "vector" else "prob")
  writeBin(c(sum(tree$frame$var == "<leaf>"), as.numeric(proba)), predicted)
}
close(predicted)
