# Fits rpart on request and prints how long it took. Reads columns that the adapter wrote; "fit" and "predict" come by stdin.
suppressMessages(library(rpart))
args <- commandArgs(TRUE)
source(args[4])
method <- args[2]
depth <- as.integer(args[3])

data <- read_columns(args[1])
if (method == "class") data$.y <- factor(data$.y)
weight <- if (is.null(data$.w)) rep(1, nrow(data)) else data$.w
data$.w <- NULL
control <- rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxcompete = 0, maxsurrogate = 0, xval = 0, maxdepth = depth)
told <- file("stdin")
open(told)
cat("ready\n")
while (length(line <- readLines(told, 1)) > 0) {
  words <- strsplit(line, "\t")[[1]]
  if (words[1] == "fit") {
    tree <- NULL
    invisible(gc())
    began <- Sys.time()
    tree <- rpart(.y ~ ., data, weights = weight, method = method, control = control)
    cat(as.numeric(difftime(Sys.time(), began, units = "secs")), "\n")
  } else {
    predicted <- predict(tree, read_columns(words[2]), type = if (method == "class") "class" else "vector")
    writeBin(as.numeric(as.character(predicted)), words[3])
    cat("written\n")
  }
}
