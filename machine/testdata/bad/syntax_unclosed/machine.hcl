machine "a" {
  dimension "x" {
    m = 4
