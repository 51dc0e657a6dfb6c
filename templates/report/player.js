// Plays broadcasts. The page embeds the tree of node 0; that of any other source is the
// same one moved, because the machine looks the same from every node.
(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("machine-data").textContent);
  var get = function (id) { return document.getElementById(id); };
  var nodes = data.addresses.length, steps = data.steps;
  var circles = [], links = {};
  document.querySelectorAll("#network [data-node]").forEach(function (g) { circles[+g.dataset.node] = g; });
  document.querySelectorAll("#network [data-link]").forEach(function (g) {
    var ends = g.dataset.link.split(" ");
    links[ends[0] + " " + ends[1]] = { group: g, side: "to" };
    links[ends[1] + " " + ends[0]] = { group: g, side: "fro" };
  });

  // plus adds or, with sign -1, subtracts two nodes digit by digit.
  function plus(a, b, sign) {
    var sum = 0, unit = 1;
    data.dimensions.forEach(function (m) {
      sum += unit * ((a % m + sign * (b % m) + m) % m);
      a = Math.floor(a / m);
      b = Math.floor(b / m);
      unit *= m;
    });
    return sum;
  }

  // treeOf moves the tree of node 0 to a source.
  function treeOf(source) {
    var tree = [];
    for (var node = 0; node < nodes; node++) {
      var like = plus(node, source, -1);
      tree.push({ node: node, step: data.step[like], port: data.port[like],
        parent: like === 0 ? -1 : plus(data.parent[like], source, 1) });
    }
    return tree;
  }

  var source = 0, now = steps, tree = treeOf(0), timer = null, rows = [];

  function count(n, what) { return n + " " + what + (n === 1 ? "" : "s"); }

  function fillTable() {
    var body = get("tree").tBodies[0];
    body.textContent = "";
    rows = [];
    tree.slice().sort(function (a, b) { return a.step - b.step || a.node - b.node; }).forEach(function (t) {
      var row = body.insertRow(), head = document.createElement("th");
      head.scope = "row";
      head.textContent = t.node;
      row.appendChild(head);
      [data.addresses[t.node], t.step, t.parent < 0 ? "-" : t.parent, t.parent < 0 ? "-" : data.ports[t.port], ""].forEach(function (text) {
        row.insertCell().textContent = text;
      });
      rows[t.node] = row.cells[5];
    });
    get("tree-source").textContent = "node " + source + ", " + data.addresses[source];
    get("network-title").textContent = "Broadcast from " + data.addresses[source] + " in " + count(steps, "step");
  }

  function show() {
    var reached = 0, total = 0;
    Object.keys(links).forEach(function (key) { links[key].group.setAttribute("class", "link"); });
    tree.forEach(function (t) {
      var has = t.step <= now, fresh = has && t.step === now && now > 0;
      var colour = t.step > 0 ? " s" + t.step : "";
      total += has ? 1 : 0;
      reached += fresh ? 1 : 0;
      circles[t.node].setAttribute("class", "node" + (t.step === 0 ? " source" : has ? " reached" + colour : "") + (fresh ? " now" : ""));
      circles[t.node].querySelector(".step").textContent = has ? t.step : "";
      rows[t.node].textContent = t.step === 0 ? "source" : fresh ? "reached now" : has ? "reached" : "not yet";
      if (has && t.parent >= 0) {
        var link = links[t.parent + " " + t.node];
        link.group.setAttribute("class", "link sent " + link.side + colour + (fresh ? " now" : ""));
      }
    });
    var text = "Step " + now + " of " + steps + ": " +
      (now === 0 ? "the source is " + data.addresses[source] : count(reached, "node") + " reached") + ", " + total + " of " + nodes + ".";
    get("status").textContent = text;
    get("step").value = now;
    get("step").setAttribute("aria-valuetext", text);
    // not disabled, because that would take the focus away
    ["first", "back"].forEach(function (id) { get(id).setAttribute("aria-disabled", now === 0); });
    ["next", "last"].forEach(function (id) { get(id).setAttribute("aria-disabled", now === steps); });
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    get("play").textContent = "Play";
  }

  function go(step) {
    now = Math.max(0, Math.min(steps, step));
    show();
  }

  function play() {
    if (timer !== null) return stop();
    get("play").textContent = "Pause";
    if (now === steps) go(0);
    timer = setInterval(function () {
      go(now + 1);
      if (now === steps) stop();
    }, 1000);
  }

  function choose(node) {
    stop();
    source = node;
    tree = treeOf(source);
    get("source").value = source;
    fillTable();
    show();
  }

  var by = {
    first: function () { stop(); go(0); },
    back: function () { stop(); go(now - 1); },
    next: function () { stop(); go(now + 1); },
    last: function () { stop(); go(steps); },
    play: play
  };
  Object.keys(by).forEach(function (id) {
    get(id).addEventListener("click", by[id]);
  });
  get("step").addEventListener("input", function () { stop(); go(+this.value); });
  data.addresses.forEach(function (address, node) {
    get("source").add(new Option(address + " (node " + node + ")", node));
  });
  get("source").addEventListener("change", function () { choose(+this.value); });
  get("network").addEventListener("click", function (event) {
    var g = event.target.closest("[data-node]");
    if (g) choose(+g.dataset.node);
  });

  var keys = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
  [get("stage"), get("controls")].forEach(function (part) {
    part.addEventListener("keydown", function (event) {
      var what = keys[event.key], at = event.target.tagName;
      if (!what || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || at === "SELECT") return;
      if (at === "BUTTON" && event.key === " ") return; // presses the button
      if (at === "INPUT" && event.key !== " ") return; // moves the slider
      event.preventDefault();
      by[what]();
    });
  });

  get("controls").hidden = false;
  get("keys").hidden = false;
  get("player").classList.add("playing");
  fillTable();
  show();
})();
