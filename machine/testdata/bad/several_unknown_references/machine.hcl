locals {
  high = 4
}
variable "wide" {
  default = 8
}
machine "ring" {
  dimension "x" {
    m   = 4
    rho = 1
  }
  message {
    payload_bits = vra.w + local.hi + var.wid
  }
}
