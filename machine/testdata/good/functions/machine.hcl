locals {
  n = sum([
    abs(-1), ceil(0.5), floor(1.5), max(0, 1), min(1, 2), log(2, 2), pow(1, 2), parseint("1", 10),
    length("a"), length([0]), length({ a = 0 }), length(concat([], [0])), length(split(",", "a")),
    tonumber(element(["1"], 0)), tonumber(tostring(1)), tobool("true") ? 1 : 0, length(upper("a")),
    length(lower("A")), length(replace("ab", "b", "")), length(substr("ab", 0, 1)), contains([1], 1) ? 1 : 0,
    length(flatten([[0]])), length(keys({ a = 0 })), length(values({ a = 0 })), length(merge({ a = 0 }, { a = 1 })),
    length(reverse([0])), length(setproduct([0], [1])), length(slice([0, 1], 0, 1)), length(sort(["a"])),
    length(zipmap(["a"], [0])), coalesce(null, 1), length(distinct([1, 1])), length(chunklist([0, 1], 2)),
    lookup({ a = 1 }, "a", 0), can(1) ? 1 : 0, try(nosuch.thing, 1), length(range(1)), length(format("%d", 1)),
    length(formatlist("%d", [1])), length(join("", ["a"])),
  ])
}

machine "functions" {
  dimension "x" {
    m   = local.n
    rho = 1
  }
}
