'use strict';

const GUARDS = {none: 'No lock', lock: 'One lock', segments: 'Ten locks'};
const byId = id => document.getElementById(id);
const seconds = millis => (millis / 1000).toFixed(1) + ' s';
const calls = count => count === 0 ? 'No call waits' : count === 1 ? '1 call waits' : count + ' calls wait';
const locks = count => count === 1 ? '1 lock is held' : count + ' locks are held';

/** The moment of the kill whose lock this shop has not got yet; null if there is none. */
let killedAt = null;

/** How long the sale had taken when it was last shown: it runs while that grows. */
let saleSeen = null;

/** Only what has changed, so that nothing is read aloud twice. */
function write(target, text, look) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
  target.className = look || '';
}

function row(tag, text, look) {
  const element = document.createElement(tag);
  write(element, text, look);
  return element;
}

function add(list, text, look) {
  list.append(row('li', text, look));
  while (list.children.length > 6) {
    list.firstChild.remove();
  }
}

function show(state) {
  write(byId('shop'), 'This shop is process ' + state.pid + '.');
  write(byId('ttl'), seconds(state.ttlMillis).replace('.0', ''));
  byId('away').hidden = !state.redisAway;
  showSale(state);
  showReport(state);
  showSecond(state);
  showIncident(state);
  write(byId('waiting'), calls(state.waiting) + ' for a lock.');
  byId('held').replaceChildren(...(state.held.length ? state.held.map(held) : [nothingHeld()]));
}

function held(lock) {
  const line = document.createElement('tr');
  const name = row('td', lock.name + ' ' + lock.key);
  if (lock.thread) {
    name.append(row('div', lock.thread, 'faint'));
  }
  line.append(name, row('td', seconds(lock.heldMillis)), row('td', seconds(lock.leaseMillis)));
  return line;
}

function nothingHeld() {
  const line = document.createElement('tr');
  const cell = row('td', 'This shop holds no lock.', 'faint');
  cell.colSpan = 3;
  line.append(cell);
  return line;
}

function saleText(sale) {
  return sale.sold + ' sold of ' + sale.stock + ', ' + sale.oversold + ' too many, ' + sale.refused
    + ' buyers got nothing, ' + seconds(sale.millis);
}

function showSale({sale, held, waiting}) {
  if (!sale) {
    return;
  }
  const whole = Math.max(sale.stock, sale.sold, 1);
  byId('sold').style.width = 100 * (sale.sold - sale.oversold) / whole + '%';
  byId('oversold').style.width = 100 * sale.oversold / whole + '%';
  write(byId('sale'), saleText(sale), sale.oversold > 0 ? 'bad' : '');
  const runs = saleSeen !== null && sale.millis > saleSeen;
  saleSeen = sale.millis;
  write(byId('sale-locks'), runs ? locks(held.length) + ', ' + calls(waiting).toLowerCase() : '');
}

function leaseText(report, whose) {
  return whose + ' writes a report; its lease ends in ' + seconds(report.leaseMillis);
}

function showReport({report, ttlMillis}) {
  byId('lease').style.width = report ? Math.min(100, 100 * report.leaseMillis / ttlMillis) + '%' : '0';
  write(byId('report'), report ? leaseText(report, report.heldHere ? 'This shop' : 'Another shop')
    : 'No shop writes a report');
}

function showSecond({second, report, redis, ttlMillis}) {
  const runs = Boolean(second && second.running);
  const elsewhere = report && !report.heldHere ? report : null;
  byId('start').disabled = !redis || runs || killedAt !== null;
  byId('kill').disabled = !runs || !elsewhere;
  byId('lease-of-killed').style.width = elsewhere ? Math.min(100, 100 * elsewhere.leaseMillis / ttlMillis) + '%' : '0';
  byId('lease-of-killed').className = runs ? '' : 'dying';
  write(byId('second'), !redis ? 'This needs the Redis that the shop starts itself.'
    : !second ? 'No second shop runs'
      : 'The second shop, process ' + second.pid + ', ' + (!runs ? 'is dead' : elsewhere ? 'writes the report' : 'starts')
        + (elsewhere ? '; its lease ends in ' + seconds(elsewhere.leaseMillis) : ''));
  if (killedAt !== null && report && report.heldHere) {
    add(byId('deaths'), 'This shop got the lock ' + seconds(performance.now() - killedAt) + ' after the kill', 'good');
    killedAt = null;
  }
}

function showIncident({incident, redis}) {
  byId('lose').disabled = !redis || Boolean(incident && !incident.over);
  if (!incident) {
    write(byId('key'), redis ? '' : 'This needs the Redis that the shop starts itself.');
    return;
  }
  write(byId('key'), 'The lock of the user is ' + (incident.keyInRedis ? 'in Redis' : 'not in Redis'),
    incident.keyInRedis ? 'bad' : 'good');
  const steps = byId('steps');
  if (incident.steps.length < steps.children.length) {
    steps.replaceChildren();
  }
  for (const step of incident.steps.slice(steps.children.length)) {
    steps.append(row('li', seconds(step.millis) + ': ' + step.text));
  }
}

/** A shop that gives no answer is an answer, too. */
async function send(method, path, body) {
  try {
    const answer = await fetch(path, {
      method,
      headers: body ? {'Content-Type': 'application/json'} : {},
      body: body ? JSON.stringify(body) : undefined
    });
    const text = await answer.text();
    return {ok: answer.ok, status: answer.status, body: text ? JSON.parse(text) : {}};
  } catch (failure) {
    return {ok: false, status: 'No answer:', body: {detail: failure.message}};
  }
}

function refusal(answer) {
  return answer.status + ' ' + (answer.body.detail || '') + (answer.body.holder ? ' Holder: ' + answer.body.holder + '.' : '');
}

async function sell(guard) {
  const answer = await send('POST', 'demo/flash-sale?lock=' + guard);
  add(byId('sales'), GUARDS[guard] + ': ' + (answer.ok ? saleText(answer.body) : refusal(answer)),
    !answer.ok || answer.body.oversold > 0 ? 'bad' : 'good');
}

async function order(user) {
  const answer = await send('POST', 'orders', {userId: user, productId: 7});
  add(byId('clicks'), 'User ' + user + ': ' + (answer.ok ? 'order ' + answer.body.id + ' is taken' : refusal(answer)),
    answer.ok ? 'good' : '');
}

async function report(length, waiting) {
  const answer = await send('POST', 'demo/report?seconds=' + length + '&waiting=' + waiting);
  add(byId('reports'), answer.ok ? 'A report of ' + answer.body.seconds + ' s is finished' : refusal(answer));
}

async function kill() {
  const begin = performance.now();
  const answer = await send('DELETE', 'demo/second-shop');
  if (!answer.ok) {
    add(byId('deaths'), refusal(answer), 'bad');
    return;
  }
  add(byId('deaths'), 'The second shop was killed; this one waits for the lock of the report');
  killedAt = begin;
  const next = await send('POST', 'demo/report?seconds=5&waiting=true');
  killedAt = null;
  if (!next.ok) {
    add(byId('deaths'), refusal(next), 'bad');
  }
}

function onClick(button, work) {
  button.addEventListener('click', work);
}

async function busy(buttons, work) {
  buttons.forEach(button => { button.disabled = true; });
  await work();
  buttons.forEach(button => { button.disabled = false; });
}

const sales = [...document.querySelectorAll('[data-sale]')];
sales.forEach(button => onClick(button, () => busy(sales, () => sell(button.dataset.sale))));
document.querySelectorAll('[data-report]').forEach(button =>
  onClick(button, () => report(button.dataset.report, button.dataset.waiting || 'false')));
onClick(byId('click'), () => busy([byId('click')], () => Promise.all([42, 42, 43, 43].map(order))));
onClick(byId('start'), async () => {
  byId('start').disabled = true;
  byId('deaths').replaceChildren();
  const answer = await send('POST', 'demo/second-shop');
  add(byId('deaths'), answer.ok ? 'A second shop starts; it takes a few seconds' : refusal(answer), answer.ok ? '' : 'bad');
});
onClick(byId('kill'), () => {
  byId('kill').disabled = true;
  return kill();
});
onClick(byId('lose'), async () => {
  byId('lose').disabled = true;
  byId('steps').replaceChildren();
  const answer = await send('POST', 'demo/incident');
  if (!answer.ok) {
    write(byId('key'), refusal(answer), 'bad');
  }
});

const live = new EventSource('demo/live');
live.onopen = () => write(byId('line'), 'Live.', 'good');
live.onerror = () => write(byId('line'), 'The shop does not answer; trying again.', 'bad');
live.onmessage = message => show(JSON.parse(message.data));
