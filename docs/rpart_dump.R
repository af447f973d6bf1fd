# Writes a fitted rpart tree as the JSON that boxwood.from_rpart reads. Needs the package jsonlite.
rpart_dump <- function(fit, file) {
  stopifnot(inherits(fit, "rpart"))
  frame <- fit$frame
  splits <- if (is.null(fit$splits)) matrix(0, 0, 5) else fit$splits
  parms <- fit$parms
  xlevels <- attr(fit, "xlevels")
  kinds <- attr(fit$terms, "dataClasses")
  dump <- list(
    format = "rpart", method = fit$method, response = deparse(attr(fit$terms, "variables")[[2]])[1],
    terms = I(attr(fit$terms, "term.labels")), xlevels = lapply(xlevels, I),
    ordered = I(names(kinds)[kinds == "ordered"]), ylevels = I(attr(fit, "ylevels")),
    frame = list(
      node = I(as.integer(row.names(frame))), var = I(as.character(frame$var)), n = I(frame$n), wt = I(frame$wt),
      yval = I(as.numeric(frame$yval)), dev = I(frame$dev), ncompete = I(frame$ncompete), nsurrogate = I(frame$nsurrogate)
    ),
    yval2 = if (is.null(frame$yval2)) NULL else unname(as.matrix(frame$yval2)),
    splits = list(
      var = I(rownames(splits)), ncat = I(unname(splits[, 2])), improve = I(unname(splits[, 3])),
      index = I(unname(splits[, 4])), adj = I(unname(splits[, 5]))
    ),
    csplit = if (is.null(fit$csplit)) I(list()) else fit$csplit,
    usesurrogate = fit$control$usesurrogate
  )
  if (fit$method == "class") {
    dump$prior <- I(as.numeric(parms$prior))
    dump$loss <- unname(parms$loss)
  }
  if (fit$method %in% c("poisson", "exp")) dump$shrink <- as.numeric(parms[[1]])
  writeLines(jsonlite::toJSON(dump, digits = I(17), auto_unbox = TRUE, null = "null"), file, useBytes = TRUE)
}
