machine "torus" {
}
