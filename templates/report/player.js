// Plays collective operations: it shows the way of the items of one node. The page embeds the items of a few
// nodes. The items of any other node move in the same way from another start, because the machine looks the same
// from every node. For an operation with a fixed root, the items of the root are played. For a collective network
// the page also shows the work of the chosen node.
(function () {
  "use strict";
  var data = JSON.parse(document.getElementById("machine-data").textContent);
  var get = function (id) { return document.getElementById(id); };
  var nodes = data.addresses.length;
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

  // follow moves the items of the embedded node that is like the source: when and from whom
  // each node receives, and all messages in the order of steps.
  function follow() {
    source = play.root === undefined ? chosen : play.root;
    var like = 0, index = 0, unit = 1, units = 1, rest = play.root === undefined ? source : 0;
    data.dimensions.forEach(function (m, i) {
      var digit = rest % m % play.period[i];
      like += unit * digit;
      index += units * digit;
      rest = Math.floor(rest / m);
      unit *= m;
      units *= play.period[i];
    });
    var items = play.items[index], by = play.root === undefined ? plus(source, like, -1) : 0;
    tree = [];
    moves = [];
    for (var node = 0; node < nodes; node++) {
      var from = plus(node, by, -1);
      var parent = node === source ? -1 : plus(items.parent[from], by, 1);
      tree.push({ node: node, step: items.step[from], port: items.port[from], parent: parent });
      if (!items.moves && parent >= 0) moves.push({ step: items.step[from], from: parent, to: node });
    }
    for (var i = 0; items.moves && i < items.moves.length; i += 3) {
      moves.push({ step: items.moves[i], from: plus(items.moves[i + 1], by, 1), to: plus(items.moves[i + 2], by, 1) });
    }
    moves.sort(function (a, b) { return a.step - b.step; });
  }

  // chosen is the node of the user, source that whose items are played.
  var play = data.plays[0], chosen = play.root || 0, source = chosen, now = play.steps, tree, moves, timer = null, rows = [], steps = [];

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
    get("tree-what").textContent = play.what;
    get("network-title").textContent = play.what + " " + data.addresses[source] + " in " + count(play.steps, "step");
  }

  // sum writes terms, pairs of source and index from a place of the list on, as the chosen node reads them.
  function sum(list, from) {
    var terms = [], own = play.operation === "all-gather" || play.operation === "gather", part = play.adding ? "part" : "item";
    for (var i = from; i < list.length; i += 2) {
      var requested = own ? "own item" : part + " for " + data.addresses[plus(chosen, list[i + 1], 1)];
      terms.push([requested, "own word", "arrived on port " + list[i + 1], "register " + list[i + 1]][list[i]]);
    }
    return terms.join(" + ");
  }

  function fillProgram() {
    var network = play.network, body = get("program").tBodies[0];
    get("does").hidden = !network;
    body.textContent = "";
    steps = [];
    if (!network) return;
    get("program-node").textContent = chosen + ", " + data.addresses[chosen];
    var line = function (step, cells) {
      var row = body.insertRow(), head = document.createElement("th");
      head.scope = "row";
      head.textContent = step;
      row.appendChild(head);
      cells.forEach(function (list) { row.insertCell().textContent = list.join("; ") || "-"; });
      return row;
    };
    network.programs[network.class[chosen]].forEach(function (does, k) {
      if (k === play.steps) {
        if (does.own) line("result", [[network.done], [], [], ["own result: " + sum(does.own, 0)]]);
        return;
      }
      steps.push(line(k + 1, [
        [network.times[k + 1]],
        (does.sends || []).map(function (s) { return "port " + s[0] + ": " + sum(s, 1); }),
        (does.keeps || []).map(function (s) { return "register " + s[0] + ": " + sum(s, 1); }),
        (does.takes || []).map(function (s) { return "port " + s[0] + ", from " + data.addresses[plus(chosen, s[1], 1)]; })
      ]));
    });
  }

  // showLinks gives every link the colour of its last message so far.
  function showLinks() {
    var last = {};
    moves.forEach(function (m) {
      if (m.step > now) return;
      var link = links[m.from + " " + m.to], key = link.group.dataset.link, other = last[key];
      last[key] = { group: link.group, step: m.step, sides: other && other.step === m.step ? other.sides + " " + link.side : link.side };
    });
    Object.keys(links).forEach(function (key) { links[key].group.setAttribute("class", "link"); });
    Object.keys(last).forEach(function (key) {
      var l = last[key];
      l.group.setAttribute("class", "link sent " + l.sides + " s" + l.step + (l.step === now ? " now" : ""));
    });
  }

  // phase names the phase of the messages of a step.
  function phase(adding, all) {
    return adding === 0 ? "copy" : adding === all ? "add" : adding + " add, " + (all - adding) + " copy";
  }

  function show() {
    var reached = 0, total = 0;
    showLinks();
    tree.forEach(function (t) {
      var has = t.step <= now, fresh = has && t.step === now && now > 0;
      var colour = t.step > 0 ? " s" + t.step : "";
      total += has ? 1 : 0;
      reached += fresh ? 1 : 0;
      circles[t.node].setAttribute("class", "node" + (t.step === 0 ? " source" : has ? " reached" + colour : "") + (fresh ? " now" : ""));
      circles[t.node].querySelector(".step").textContent = has ? t.step : "";
      rows[t.node].textContent = t.step === 0 ? play.role : has ? (play.converges ? "arrived" : "reached") + (fresh ? " now" : "") : "not yet";
    });
    var text = "Step " + now + " of " + play.steps + (play.network ? ", cycle " + play.network.times[now] : "") + ": " +
      (now === 0 ? "the " + play.role + " is " + data.addresses[source] : play.converges ? count(reached, "item") + " arrived" : count(reached, "node") + " reached") +
      ", " + total + " of " + nodes + ".";
    if (now > 0) {
      if (play.busy) text += " " + play.busy[now - 1] + " of " + play.links + " one-way links carry a message.";
      if (play.network) text += " Words that wait in registers: " + play.network.waiting[now - 1] + ".";
      if (play.adding) text += " Phase: " + phase(play.adding[now - 1], play.busy[now - 1]) + ".";
    }
    steps.forEach(function (row, k) {
      row.className = k + 1 === now ? "now" : "";
      row.setAttribute("aria-current", k + 1 === now ? "step" : "false");
    });
    get("status").textContent = text;
    get("step").value = now;
    get("step").setAttribute("aria-valuetext", text);
    // not disabled, because that would take the focus away
    ["first", "back"].forEach(function (id) { get(id).setAttribute("aria-disabled", now === 0); });
    ["next", "last"].forEach(function (id) { get(id).setAttribute("aria-disabled", now === play.steps); });
  }

  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    get("play").textContent = "Play";
  }

  function go(step) {
    now = Math.max(0, Math.min(play.steps, step));
    show();
  }

  function run() {
    if (timer !== null) return stop();
    get("play").textContent = "Pause";
    if (now === play.steps) go(0);
    timer = setInterval(function () {
      go(now + 1);
      if (now === play.steps) stop();
    }, 1000);
  }

  function choose(node) {
    stop();
    chosen = node;
    get("source").value = chosen;
    follow();
    fillTable();
    fillProgram();
    show();
  }

  // perform chooses an operation, and shows all of it.
  function perform(number) {
    play = data.plays[number];
    now = play.steps;
    get("step").max = now;
    get("stage").dataset.steps = now;
    get("by").textContent = play.by;
    choose(chosen);
  }

  var by = {
    first: function () { stop(); go(0); },
    back: function () { stop(); go(now - 1); },
    next: function () { stop(); go(now + 1); },
    last: function () { stop(); go(play.steps); },
    play: run
  };
  Object.keys(by).forEach(function (id) {
    get(id).addEventListener("click", by[id]);
  });
  get("step").addEventListener("input", function () { stop(); go(+this.value); });
  var groups = {};
  data.plays.forEach(function (p, number) {
    var name = p.hardware ? "Hardware of this machine" : "Schedules";
    if (!groups[name]) {
      groups[name] = get("operation").appendChild(document.createElement("optgroup"));
      groups[name].label = name;
    }
    groups[name].appendChild(new Option(p.name, number));
  });
  get("operation").addEventListener("change", function () { perform(+this.value); });
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
  choose(chosen);
})();
