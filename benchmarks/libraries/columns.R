# Reads the columns that write_columns of bench_rpart.py wrote into a folder, as a data frame.
read_columns <- function(folder) {
  about <- read.csv(file.path(folder, "columns.csv"), stringsAsFactors = FALSE)
  columns <- lapply(seq_len(nrow(about)), function(j) {
    x <- readBin(file.path(folder, paste0(about$name[j], ".bin")), "double", about$rows[j])
    k <- about$levels[j]
    if (k == 0) return(x)
    factor(as.integer(x) + 1L, seq_len(k), as.character(seq_len(k)), ordered = about$ordered[j] == 1)
  })
  names(columns) <- about$name
  as.data.frame(columns)
}
