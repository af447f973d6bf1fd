# Writes a fitted rpart tree as the JSON that boxwood.from_rpart reads; numbers keep all their digits. Needs rpart only.

as_json <- function(x) {
  texts <- function(v) {
    v <- gsub("([\\\\\"])", "\\\\\\1", enc2utf8(v))
    v <- gsub("\t", "\\\\t", gsub("\r", "\\\\r", gsub("\n", "\\\\n", v)))
    ifelse(is.na(v), "null", paste0("\"", v, "\""))
  }
  if (is.null(x)) return("null")
  if (is.list(x)) {
    parts <- vapply(x, as_json, "")
    if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ","), "]"))
    return(paste0("{", paste(texts(names(x)), parts, sep = ":", collapse = ","), "}"))
  }
  if (is.matrix(x)) return(paste0("[", paste(apply(x, 1, as_json), collapse = ","), "]"))
  if (is.factor(x)) x <- as.character(x)
  v <- if (is.character(x)) texts(x) else ifelse(is.na(x), "null", sprintf("%.17g", as.numeric(x)))
  paste0("[", paste(v, collapse = ","), "]")
}

rpart_dump <- function(fit, file) {
  stopifnot(inherits(fit, "rpart"))
  frame <- fit$frame
  splits <- if (is.null(fit$splits)) matrix(0, 0, 5) else fit$splits
  kinds <- attr(fit$terms, "dataClasses")
  counts <- c("poisson", "exp")
  xlevels <- as.list(attr(fit, "xlevels"))
  if (is.null(names(xlevels))) xlevels <- setNames(list(), character())
  dump <- list(
    format = "rpart", method = fit$method, response = deparse(attr(fit$terms, "variables")[[2]])[1],
    terms = attr(fit$terms, "term.labels"), xlevels = xlevels, ordered = names(kinds)[kinds == "ordered"],
    ylevels = attr(fit, "ylevels"),
    frame = list(
      node = row.names(frame), var = as.character(frame$var), n = frame$n, wt = frame$wt, yval = frame$yval,
      dev = frame$dev, ncompete = frame$ncompete, nsurrogate = frame$nsurrogate
    ),
    yval2 = frame$yval2,
    splits = list(
      var = rownames(splits), ncat = splits[, 2], improve = splits[, 3], index = splits[, 4], adj = splits[, 5]
    ),
    csplit = fit$csplit, usesurrogate = fit$control$usesurrogate,
    prior = if (fit$method == "class") as.numeric(fit$parms$prior),
    loss = if (fit$method == "class") unname(fit$parms$loss),
    shrink = if (fit$method %in% counts) as.numeric(fit$parms[[1]])
  )
  writeLines(as_json(dump), file, useBytes = TRUE)
}
