# Writes the files of R for test_written_files.py; run with R 4.2, haven 2.5.1, foreign 0.8, readr 2.1, data.table 1.14.
d <- data.frame(
  alter = c(31, 40, 25, NA), ort = c("Köln", "Bad Ems", "北京", NA),
  y = factor(c("ja", "nein", "ja", "nein"), levels = c("nein", "ja")),
  am = as.Date(c("2024-01-31", "2024-02-29", NA, "2023-12-31"))
)
half <- transform(d, g = alter / 2)
write.csv(d, "write_csv.csv")
write.csv2(half, "write_csv2.csv")
write.table(d, "write_table.txt")
write.table(d, "tabs.txt", sep = "\t", quote = FALSE)
readr::write_csv(d, "readr.csv")
readr::write_excel_csv2(half, "excel_csv2.csv")
data.table::fwrite(half, "fwrite.csv", sep = ";", dec = ",")

answers <- data.frame(
  q1 = haven::labelled_spss(c(3, 9, 1, 2), c(niedrig = 1, mittel = 2, hoch = 3, "keine Angabe" = 9), na_values = 9),
  geschlecht = haven::labelled(c(1, 2, 1, 2), c(Mann = 1, Frau = 2)),
  stadt = c("Köln", "北京", "", NA), alter = c(31, 40.5, NA, 25), am = d$am
)
haven::write_sav(answers, "haven.sav")
letters <- transform(answers, q1 = haven::labelled(
  c(3, haven::tagged_na("a"), 1, 2), c(niedrig = 1, mittel = 2, hoch = 3, "keine Angabe" = haven::tagged_na("a"))
))
haven::write_dta(letters, "haven.dta")
haven::write_xpt(data.frame(ALTER = answers$alter, STADT = c("Ulm", "Bonn", "", "Ulm"), AM = d$am), "haven.xpt")
foreign::write.dta(d[c("alter", "y", "am")], "foreign.dta")
