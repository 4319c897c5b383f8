'use strict';

const LEASE_MILLIS = 30000;
const byId = id => document.getElementById(id);
const seconds = millis => (millis / 1000).toFixed(1) + ' s';

function row(tag, text, look) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (look) {
    element.className = look;
  }
  return element;
}

function keepLast(list, count) {
  while (list.children.length > count) {
    list.firstChild.remove();
  }
}

function show(state) {
  byId('shop').textContent = 'This shop is process ' + state.pid + '.';
  showSale(state);
  showReport(state.report);
  showIncident(state.incident);
  byId('waiting').textContent = state.waiting;
  byId('held').replaceChildren(...state.held.map(lock => {
    const line = document.createElement('tr');
    line.append(row('td', lock.name + ' ' + lock.key), row('td', lock.thread || ''), row('td', seconds(lock.heldMillis)), row('td', seconds(lock.leaseMillis)));
    return line;
  }));
  byId('lose').disabled = !state.redis || (state.incident && !state.incident.over);
  byId('second').textContent = state.redis
    ? 'SERVER_PORT=8081 SPRING_DATA_REDIS_URL=' + state.redis + ' ./mvnw spring-boot:run'
    : 'SERVER_PORT=8081 ./mvnw spring-boot:run, with the Redis of this one';
}

function showSale({sale, held, waiting}) {
  if (!sale) {
    return;
  }
  const whole = Math.max(sale.stock, sale.sold, 1);
  byId('sold').style.width = 100 * (sale.sold - sale.oversold) / whole + '%';
  byId('oversold').style.width = 100 * sale.oversold / whole + '%';
  byId('sale').textContent = sale.sold + ' sold of ' + sale.stock + ', ' + sale.oversold + ' too many, '
    + sale.refused + ' buyers got nothing, ' + seconds(sale.millis);
  byId('sale').className = sale.oversold > 0 ? 'bad' : '';
  byId('sale-locks').textContent = held.length + (held.length === 1 ? ' lock is' : ' locks are') + ' held, '
    + waiting + (waiting === 1 ? ' call waits' : ' calls wait');
}

function showReport(report) {
  byId('lease').style.width = report ? Math.min(100, 100 * report.leaseMillis / LEASE_MILLIS) + '%' : '0';
  byId('report').textContent = !report ? 'No shop writes a report'
    : (report.heldHere ? 'This shop' : 'Another shop') + ' writes a report; its lease ends in ' + seconds(report.leaseMillis);
}

function showIncident(incident) {
  if (!incident) {
    return;
  }
  byId('key').textContent = 'The lock of the user is ' + (incident.keyInRedis ? 'in Redis' : 'not in Redis');
  byId('key').className = incident.keyInRedis ? 'bad' : 'good';
  const steps = byId('steps');
  if (incident.steps.length < steps.children.length) {
    steps.replaceChildren();
  }
  for (const step of incident.steps.slice(steps.children.length)) {
    steps.append(row('li', seconds(step.millis) + ': ' + step.text));
  }
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: body ? {'Content-Type': 'application/json'} : {},
    body: body ? JSON.stringify(body) : undefined
  });
  const text = await answer.text();
  return {status: answer.status, body: text ? JSON.parse(text) : {}};
}

async function order(user) {
  const answer = await post('orders', {userId: user, productId: 7});
  const taken = answer.status === 201;
  const holder = answer.body.holder ? '; holder: ' + answer.body.holder : '';
  byId('clicks').append(row('li', 'User ' + user + ': '
    + (taken ? 'order ' + answer.body.id + ' is taken' : answer.status + ' ' + answer.body.detail + holder), taken ? 'good' : ''));
  keepLast(byId('clicks'), 8);
}

async function busy(button, work) {
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll('[data-sale]')) {
  button.addEventListener('click', () => busy(button, () => post('demo/flash-sale?lock=' + button.dataset.sale)));
}
for (const button of document.querySelectorAll('[data-report]')) {
  button.addEventListener('click', async () => {
    const answer = await post('demo/report?seconds=' + button.dataset.report + '&waiting=' + (button.dataset.waiting || 'false'));
    byId('reports').append(row('li', answer.status === 200
      ? 'A report of ' + answer.body.seconds + ' s is finished' : answer.status + ' ' + answer.body.detail));
    keepLast(byId('reports'), 4);
  });
}
byId('click').addEventListener('click', () => busy(byId('click'), () => Promise.all([42, 42, 43, 43].map(order))));
byId('lose').addEventListener('click', () => {
  byId('steps').replaceChildren();
  return post('demo/incident');
});

const live = new EventSource('demo/live');
live.onopen = () => { byId('line').textContent = 'Live.'; };
live.onerror = () => { byId('line').textContent = 'The shop does not answer; trying again.'; };
live.onmessage = message => show(JSON.parse(message.data));
