# Rscript make.R, in this folder (R 4.2).
d <- data.frame(
  x = c(1.5, NA, 3), i = c(1L, NA, 3L), w = c(1, 2, NA),
  f = factor(c("b", "a", NA), levels = c("b", "a", "z")),
  o = factor(c("low", "high", "mid"), levels = c("low", "mid", "high"), ordered = TRUE),
  s = c("x", NA, "北京"), l = c(TRUE, FALSE, NA), n = 1:3, t = as.character(4:6),
  d = as.Date(c("2020-01-01", NA, "2021-03-04")),
  c = as.POSIXct(c("2020-01-01 10:00:00", NA, "2020-01-01 12:00:00"), tz = "UTC"),
  h = as.difftime(1:3, units = "hours")
)
saveRDS(d, "frame.rds")
saveRDS(d, "frame_xz_2.rds", compress = "xz", version = 2)
e <- data.frame(a = 1:2)
note <- "not a table"
save(note, d, e, file = "frames.RData")
save(d, lm, file = "function.RData")
d$list <- list(1, 2, 3)
saveRDS(d, "list.rds")
saveRDS(1:3, "vector.rds")
