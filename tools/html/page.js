/* Draw any part of the lanes. All text comes from the page itself and goes into text nodes. */
(function () {
'use strict';
var LEFT = 220, WIDTH = 860, ROW = 34, BAR = 20, TOP = 26, LANES = 64, MERGED = 500;
var SVG = document.querySelector('svg').namespaceURI;

function numbers(element) {
  var text = element ? element.textContent : '';
  return text.split(',').slice(0, -1).map(Number);
}

function texts(element) {
  return Array.prototype.map.call(element.children, function (item) { return item; });
}

function add(parent, name, attributes, text) {
  var element = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
  if (text !== undefined) element.appendChild(document.createTextNode(text));
  parent.appendChild(element);
  return element;
}

function read(data) {
  var flat = numbers(data.querySelector('.works'));
  var states = texts(data.querySelector('.states'));
  var works = [], number = 0, time = 0;
  for (var i = 0; flat.length > i; i += 6) {
    number += flat[i];
    time += flat[i + 1];
    works.push({ number: number, time: time, lane: flat[i + 2], name: flat[i + 3],
      state: flat[i + 4], suspect: flat[i + 5] });
  }
  return { works: works, edges: numbers(data.querySelector('.edges')),
    names: texts(data.querySelector('.names')).map(function (item) { return item.textContent; }),
    states: states.map(function (item) { return item.textContent; }),
    classes: states.map(function (item) { return item.className; }),
    first: Number(data.dataset.first), failed: Number(data.dataset.failed),
    word: data.dataset.word };
}

function Lanes(data) {
  this.model = read(data);
  this.id = 'r' + data.dataset.report;
  this.svg = document.getElementById(this.id + '-closer');
  this.all = document.getElementById(this.id + '-all');
  this.from = Math.max(0, Number(data.dataset.from) - this.model.first);
  this.to = Math.max(0, Number(data.dataset.to) - this.model.first);
  this.start = [this.from, this.to];
}

Lanes.prototype.x = function (index) {
  return LEFT + (index - this.from) * WIDTH / (this.to - this.from + 1);
};

Lanes.prototype.describe = function (run) {
  var work = this.model.works[run.first], state = this.model.states[work.state];
  if (run.n > 1)
    return '#' + work.number + ' to #' + this.model.works[run.last].number + ': ' + run.n +
      ' submissions, ' + state;
  var ago = this.model.failed >= work.time ?
    ', ' + (this.model.failed - work.time) + ' us before the failure' : '';
  return '#' + work.number + ' ' + this.model.names[work.name] + ', ' + state +
    (work.suspect ? ': ' + this.model.word : '') + ago;
};

Lanes.prototype.box = function (group, run) {
  var work = this.model.works[run.first];
  var x = this.x(run.first), width = this.x(run.last + 1) - x, y = TOP + work.lane * ROW;
  var rect = add(group, 'rect', { 'class': this.model.classes[work.state] +
    (work.suspect ? ' suspect' : ''), x: x, y: y,
    width: Math.max(1, width > 4 ? width - 1 : width), height: BAR });
  add(rect, 'title', {}, this.describe(run));
  if (work.suspect === 1)
    add(group, 'text', { 'class': 'mark', x: x + width / 2, y: y - 3 }, '\u25bc #' + work.number);
  else if (width > 60 ? run.n === 1 : false)
    add(group, 'text', { 'class': 'small', x: x + 4, y: y + 14 },
      this.model.names[work.name].slice(0, Math.floor(width / 8)));
};

Lanes.prototype.arrows = function (group) {
  var place = {}, edges = this.model.edges;
  for (var i = this.from; this.to >= i; i++) place[this.model.works[i].number] = i;
  for (var e = 0; edges.length > e; e += 4) {
    var from = place[edges[e]], to = place[edges[e + 1]];
    if (from === undefined || to === undefined || edges[e + 2] >= LANES || edges[e + 3] >= LANES)
      continue;
    var down = edges[e + 3] > edges[e + 2];
    add(group, 'line', { 'class': 'wait', x1: this.x(from + 1), x2: this.x(to),
      y1: TOP + edges[e + 2] * ROW + (down ? BAR : 0),
      y2: TOP + edges[e + 3] * ROW + (down ? 0 : BAR), 'marker-end': 'url(#arrow)' });
  }
};

Lanes.prototype.draw = function () {
  var group = this.svg.querySelector('g'), runs = {}, self = this;
  var merges = this.to - this.from > MERGED;
  group.textContent = '';
  for (var i = this.from; this.to >= i; i++) {
    var work = this.model.works[i], run = runs[work.lane];
    if (work.lane >= LANES) continue;
    var before = run ? this.model.works[run.last] : null;
    if (merges ? before ? before.state === work.state ? !before.suspect ? !work.suspect :
        false : false : false : false) {
      run.last = i;
      run.n++;
      continue;
    }
    if (run) this.box(group, run);
    runs[work.lane] = { first: i, last: i, n: 1 };
  }
  Object.keys(runs).forEach(function (lane) { self.box(group, runs[lane]); });
  if (!merges) this.arrows(group);
  this.say('Shown: #' + this.model.works[this.from].number + ' to #' +
    this.model.works[this.to].number);
};

Lanes.prototype.say = function (text) { this.status.textContent = text; };

/* Show n submissions around `middle`, or around the middle of what is shown. */
Lanes.prototype.show = function (n, middle) {
  var last = this.model.works.length - 1;
  var centre = middle === undefined ? (this.from + this.to) / 2 : middle;
  n = Math.max(8, Math.min(last + 1, Math.round(n)));
  this.from = Math.max(0, Math.min(last + 1 - n, Math.round(centre - n / 2)));
  this.to = Math.min(last, this.from + n - 1);
  this.draw();
};

Lanes.prototype.move = function (share) {
  var n = this.to - this.from + 1;
  this.show(n, (this.from + this.to) / 2 + share * n);
};

Lanes.prototype.zoom = function (factor) { this.show((this.to - this.from + 1) * factor); };

Lanes.prototype.reset = function () {
  this.from = this.start[0];
  this.to = this.start[1];
  this.draw();
};

Lanes.prototype.tools = function () {
  var self = this, scroll = this.svg.parentNode, bar = document.createElement('div');
  var buttons = [['\u25c0', 'earlier', function () { self.move(-0.5); }],
    ['\u25b6', 'later', function () { self.move(0.5); }],
    ['\u2212', 'zoom out', function () { self.zoom(2); }],
    ['+', 'zoom in', function () { self.zoom(0.5); }],
    ['reset', 'reset', function () { self.reset(); }]];
  bar.className = 'tools';
  buttons.forEach(function (entry) {
    var button = document.createElement('button');
    button.type = 'button';
    button.textContent = entry[0];
    button.title = entry[1];
    button.setAttribute('aria-label', entry[1]);
    button.addEventListener('click', entry[2]);
    bar.appendChild(button);
  });
  this.status = document.createElement('div');
  this.status.className = 'status';
  this.status.setAttribute('role', 'status');
  scroll.parentNode.insertBefore(bar, scroll);
  scroll.parentNode.insertBefore(this.status, scroll.nextSibling);
};

Lanes.prototype.listen = function () {
  var self = this, keys = { ArrowLeft: buttonMove(-0.25), ArrowRight: buttonMove(0.25),
    '+': function () { self.zoom(0.5); }, '-': function () { self.zoom(2); } };
  function buttonMove(share) { return function () { self.move(share); }; }
  this.svg.parentNode.addEventListener('keydown', function (event) {
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });
  this.svg.addEventListener('mouseover', function (event) {
    var title = event.target.querySelector ? event.target.querySelector('title') : null;
    if (event.target.tagName === 'rect' ? title : false) self.say(title.textContent);
  });
  this.all.addEventListener('click', function (event) {
    var box = self.all.getBoundingClientRect();
    var x = (event.clientX - box.left) / box.width * self.all.viewBox.baseVal.width - LEFT;
    var n = self.model.works.length + self.model.first;
    self.show(self.to - self.from + 1, x / WIDTH * n - self.model.first);
  });
};

/* Open what a link leads into. */
function reveal() {
  var element = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  var target = element;
  for (; element; element = element.parentNode)
    if (element.tagName === 'DETAILS') element.open = true;
  if (target) target.scrollIntoView();
}
window.addEventListener('hashchange', reveal);
window.addEventListener('beforeprint', function () {
  Array.prototype.forEach.call(document.querySelectorAll('article details'),
    function (details) { details.open = true; });
});

Array.prototype.forEach.call(document.querySelectorAll('.data'), function (data) {
  var lanes = new Lanes(data);
  if (!lanes.svg || !lanes.model.works.length) return;
  lanes.tools();
  lanes.listen();
});
reveal();
})();
