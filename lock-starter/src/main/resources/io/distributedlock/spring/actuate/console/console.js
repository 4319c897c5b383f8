'use strict';

// Shows what the endpoint "locks" beside this page answers. What it answers is data of users, and is only ever written
// as text.

const PERIOD = 2000;
const WINDOW = 100;
const FILTER_PAGE = 500;
const FILTER_PAGES = 60;
// A page of a filter costs Redis some 2 ms. With these pauses it is below a twentieth of its time while the filter
// reads, and about a hundredth from then on.
const PAGE_PAUSE = 50;
const REST_FOR_A_PAGE = 250;

const TEXTS = {
  en: {
    title: 'Locks', all: 'All locks', filter: 'Filter', pause: 'Pause', first: 'First page', next: 'Next page',
    lock: 'Lock', holder: 'Holder', age: 'Age', left: 'Lease left', waiters: 'Waiters',
    incidents: 'Losses and refusals in this application', none: 'None since the start.',
    held: 'Held here', awaited: 'Awaited here', unresolved: 'Being cleaned up', lost: 'Lost', refused: 'Refused',
    failed: 'Failed', unknown: 'another owner', here: 'this application', shared: 'shared', forever: 'never expires',
    thread: t => 'thread ' + t, silent: t => 'no sign of life for ' + t, more: n => 'and ' + n + ' more',
    bar: p => 'age: ' + p + ' % of age and lease left', waiting: n => n + ' waiting',
    shown: (n, more) => n + (n === 1 ? ' lock' : ' locks') + (more ? ', more on the next page' : ''),
    matching: (n, seen, more, s) => n + ' of ' + seen + ' locks' + (more ? ', and there are more' : '')
      + (s > 2 ? '; because so many are read, renewed every ' + s + ' s' : ''),
    noAnswer: s => 'The endpoint "locks" gave no answer (' + s + '). What is shown is old.',
    refusedList: s => 'All locks can\'t be listed: ' + s,
    what: { lost: 'lost', refused: 'refused', failed: 'failed', late: 'granted late', forced: 'taken by force' },
    waits: lock => 'its holder waits for ' + lock, circle: 'may wait for each other',
    circles: n => '⚠ ' + n + ' locks are held by processes that may wait for each other',
    history: name => 'History of ' + name, noHistory: 'Nothing was written down in the last week.', close: 'Close',
    past: (w, t, who, at) => w + ', after ' + t + ', ' + who + ', ' + at, leftOut: n => n + ' more were left out before',
    incident: (i, t, a) => i + ', after ' + t + ', ' + a + ' ago',
  },
  zh: {
    title: '分布式锁', all: '全部锁', filter: '筛选', pause: '暂停', first: '首页', next: '下一页',
    lock: '锁', holder: '持有者', age: '持有时间', left: '租约剩余', waiters: '等待者',
    incidents: '本应用的丢失与拒绝', none: '启动以来没有。',
    held: '本应用持有', awaited: '本应用等待', unresolved: '清理中', lost: '丢失', refused: '被拒绝',
    failed: '失败', unknown: '其他持有者', here: '本应用', shared: '共享', forever: '永不过期',
    thread: t => '线程 ' + t, silent: t => '已 ' + t + ' 没有响应', more: n => '另有 ' + n + ' 个',
    bar: p => '持有时间占持有与剩余租约之和的 ' + p + ' %', waiting: n => n + ' 个等待者',
    shown: (n, more) => n + ' 个锁' + (more ? '，下一页还有' : ''),
    matching: (n, seen, more, s) => seen + ' 个锁中匹配 ' + n + ' 个' + (more ? '，还有更多' : '')
      + (s > 2 ? '；因读取的锁较多，每 ' + s + ' 秒刷新一次' : ''),
    noAnswer: s => '端点 locks 没有应答（' + s + '），显示的内容已过时。',
    refusedList: s => '无法列出全部锁：' + s,
    what: { lost: '丢失', refused: '被拒绝', failed: '失败', late: '很晚才获得', forced: '被强制释放' },
    waits: lock => '其持有者在等待 ' + lock, circle: '可能互相等待',
    circles: n => '⚠ ' + n + ' 个锁的持有进程可能互相等待',
    history: name => name + ' 的历史', noHistory: '最近一周没有记录。', close: '关闭',
    past: (w, t, who, at) => w + '，历时 ' + t + '，' + who + '，' + at, leftOut: n => '此前另有 ' + n + ' 条未记录',
    incident: (i, t, a) => i + '，历时 ' + t + '，' + a + '前',
  },
};

const LANGUAGE = (navigator.language || 'en').toLowerCase().startsWith('zh') ? 'zh' : 'en';
const T = TEXTS[LANGUAGE];
const byId = id => document.getElementById(id);
const rows = new Map();
let cursor = null;
let historyOf = null;
let nextCursor = null;
let timer = 0;
let round = 0;
let period = PERIOD;

function element(name, text, attributes) {
  const made = document.createElement(name);
  if (text !== undefined) {
    made.textContent = text;
  }
  Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
  return made;
}

/** Only what has changed, so that nothing is read aloud twice and no selection is lost. */
function write(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/** The seconds of an ISO duration, such as PT1M2.5S; null if there is none. */
function seconds(duration) {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration || '');
  return parts ? (parts[1] || 0) * 3600 + (parts[2] || 0) * 60 + Number(parts[3] || 0) : null;
}

function legible(time) {
  if (time === null) {
    return '';
  }
  const units = LANGUAGE === 'zh' ? ['毫秒', '秒', '分', '小时'] : [' ms', ' s', ' min', ' h'];
  if (time < 1) {
    return Math.round(time * 1000) + units[0];
  }
  return time < 120 ? Math.round(time) + units[1]
    : time < 7200 ? Math.round(time / 60) + units[2] : Math.round(time / 3600) + units[3];
}

function process(who) {
  const identity = who.identity;
  if (!identity) {
    return T.unknown;
  }
  const place = [identity.application, identity.host].filter(Boolean).join(LANGUAGE === 'zh' ? ' @ ' : ' on ');
  return (place || T.unknown) + (identity.pid ? ' (pid ' + identity.pid + ')' : '');
}

function person(who) {
  const item = element('span', process(who) + (who.thread ? ', ' + T.thread(who.thread) : ''));
  const silence = seconds(who.silence);
  if (silence !== null) {
    item.append(' ', element('span', '⚠ ' + T.silent(legible(silence)), { class: 'silent' }));
  }
  return item;
}

function cell(label) {
  return element('td', undefined, { role: 'cell', 'data-label': label });
}

/** A row is filled again while its lock is shown, so that focus and what is open stay. */
function row(id) {
  const made = {
    line: element('tr', undefined, { role: 'row' }),
    name: element('th', undefined, { role: 'rowheader', scope: 'row' }),
    holder: cell(T.holder), age: cell(T.age), left: cell(T.left), waiters: cell(T.waiters),
    ageText: element('span'), bar: element('progress', undefined, { max: '100' }),
    details: element('details'), summary: element('summary'), list: element('ol'), nobody: element('span', '0'),
  };
  const name = element('button', id, { type: 'button', class: 'name' });
  name.addEventListener('click', () => showHistory(nameOf(id)));
  made.name.append(name);
  made.age.append(made.ageText, made.bar);
  made.details.append(made.summary, made.list);
  made.waiters.append(made.nobody, made.details);
  made.line.append(made.name, made.holder, made.age, made.left, made.waiters);
  return made;
}

function fill(shown, lock, links) {
  const holders = lock.holders.map(person);
  const first = lock.holders[0] || {};
  const age = seconds(first.age);
  const left = seconds(lock.remaining);
  const notes = [lock.mode === 'SHARED' ? T.shared + ' (' + lock.holderCount + ')' : '', lock.heldHere ? T.here : ''];
  const note = notes.filter(Boolean).join(', ');
  const lines = holders.slice(0, 5).map(holder => {
    const line = element('div');
    line.append(holder);
    return line;
  });
  if (holders.length > lines.length) {
    lines.push(element('div', T.more(holders.length - lines.length), { class: 'note' }));
  }
  if (note) {
    lines.push(element('div', note, { class: 'note' }));
  }
  links.forEach(link => lines.push(element('div', (link.circle ? '⚠ ' : '') + T.waits(link.waitsFor)
    + (link.circle ? ': ' + T.circle : ''), { class: link.circle ? 'silent' : 'note' })));
  shown.holder.replaceChildren(...lines);
  write(shown.ageText, age === null ? '' : legible(age));
  const part = age === null || left === null || age + left === 0 ? 0 : Math.round(100 * age / (age + left));
  shown.bar.hidden = age === null || left === null;
  shown.bar.value = part;
  shown.bar.setAttribute('aria-label', T.bar(part));
  write(shown.left, left === null ? T.forever : legible(left));
  const waiting = lock.waiting === undefined || lock.waiting === null ? lock.waiters.length : lock.waiting;
  shown.nobody.hidden = waiting > 0;
  shown.details.hidden = waiting === 0;
  write(shown.summary, T.waiting(waiting));
  shown.list.replaceChildren(...lock.waiters.map(waiter => {
    const item = element('li');
    const waited = seconds(waiter.age);
    item.append(person(waiter), waited === null ? '' : ', ' + legible(waited));
    return item;
  }));
  if (waiting > lock.waiters.length) {
    shown.list.append(element('li', T.more(waiting - lock.waiters.length)));
  }
}

function showLocks(locks, waits) {
  const age = lock => seconds((lock.holders[0] || {}).age) || 0;
  const sorted = [...locks].sort((one, other) => other.waiters.length - one.waiters.length || age(other) - age(one));
  const present = new Set(sorted.map(lock => lock.id));
  [...rows.keys()].filter(id => !present.has(id)).forEach(id => {
    rows.get(id).line.remove();
    rows.delete(id);
  });
  const body = byId('locks');
  const focused = document.activeElement;
  sorted.forEach((lock, place) => {
    if (!rows.has(lock.id)) {
      rows.set(lock.id, row(lock.id));
    }
    const shown = rows.get(lock.id);
    fill(shown, lock, waits.filter(link => link.lock === lock.id).slice(0, 5));
    if (body.children[place] !== shown.line) {
      body.insertBefore(shown.line, body.children[place] || null);
    }
  });
  if (focused && focused !== document.activeElement && focused.isConnected) {
    focused.focus();
  }
}

function showCounters(answer) {
  const incidents = answer.incidents || { lost: 0, refused: 0, failed: 0, latest: [] };
  const counts = [[T.held, answer.heldCount], [T.awaited, answer.awaitedCount], [T.unresolved, answer.unresolvedCount],
    [T.lost, incidents.lost], [T.refused, incidents.refused], [T.failed, incidents.failed]];
  byId('counters').replaceChildren(...counts.map(([name, count]) => {
    const box = element('div');
    box.append(element('dt', name), element('dd', String(count)));
    return box;
  }));
  const items = incidents.latest.slice(0, 20).map(incident => element('li', T.incident(
    incident.id + ': ' + T.what[incident.what] + (incident.reason ? ' (' + incident.reason + ')' : ''),
    legible(seconds(incident.time)), legible(seconds(incident.ago)))));
  byId('incidents').replaceChildren(...(items.length ? items : [element('li', T.none)]));
  write(byId('store'), Object.entries(answer.store || {}).map(([key, value]) => key + ' ' + value).join(' · '));
}

/** As its caller wrote it: an address with an encoded percent sign is what firewalls refuse. Some can't be written so. */
function nameOf(id) {
  const encoded = id.split(':')[0];
  return /%(25|3A)/.test(encoded) ? encoded
    : encoded.replace(/%u([0-9A-F]{4})|%([0-9A-F]{2})/g, (all, wide, narrow) => String.fromCharCode(parseInt(wide || narrow, 16)));
}

async function showHistory(name) {
  if (name !== historyOf) {
    byId('history-list').replaceChildren();
  }
  historyOf = name;
  byId('history').hidden = false;
  write(byId('history-title'), T.history(name));
  await refreshHistory();
  byId('history-title').focus();
}

async function refreshHistory() {
  const name = historyOf;
  if (name === null) {
    return;
  }
  const answer = await fetch('locks/' + encodeURIComponent(name), { headers: { Accept: 'application/json' }, cache: 'no-store' });
  if (!answer.ok || name !== historyOf) {
    return;
  }
  const lines = ((await answer.json()).history || []).map(past => {
    const text = T.past((T.what[past.what] || past.what) + (past.reason ? ' (' + past.reason + ')' : ''),
      legible(seconds(past.time)), process({ identity: past.client }), new Date(past.at).toLocaleString());
    return text + (past.leftOut ? ' (' + T.leftOut(past.leftOut) + ')' : '');
  });
  const list = byId('history-list');
  const shown = lines.length ? lines : [T.noHistory];
  if ([...list.children].map(item => item.textContent).join('\n') !== shown.join('\n')) {
    list.replaceChildren(...shown.map(line => element('li', line)));
  }
}

async function ask(from, limit) {
  const query = new URLSearchParams({ fleet: 'true', limit: String(limit) });
  if (from !== null) {
    query.set('cursor', from);
  }
  const answer = await fetch('locks?' + query, { headers: { Accept: 'application/json' }, cache: 'no-store' });
  if (!answer.ok) {
    throw new Error('HTTP ' + answer.status);
  }
  return answer.json();
}

/** Locks whose id, holder or waiter has the text, from as many pages as that takes, up to a bound. */
async function search(text, mine) {
  const found = new Map();
  const seen = new Set();
  const waits = [];
  let from = null;
  let answer = null;
  let pages = 0;
  while (pages < FILTER_PAGES && found.size < WINDOW && mine === round) {
    if (pages > 0) {
      await new Promise(done => setTimeout(done, PAGE_PAUSE));
    }
    answer = await ask(from, FILTER_PAGE);
    pages++;
    answer.fleet.locks.forEach(lock => seen.add(lock.id));
    waits.push(...(answer.fleet.waits || []));
    answer.fleet.locks.filter(lock =>
      [lock.id, ...lock.holders.map(process), ...lock.waiters.map(process)].some(word => word.toLowerCase().includes(text)))
      .forEach(lock => found.set(lock.id, lock));
    from = answer.fleet.next || null;
    if (from === null) {
      break;
    }
  }
  return { answer, waits, pages, seen: seen.size, more: from !== null || found.size > WINDOW, locks: [...found.values()].slice(0, WINDOW) };
}

/** A page may be empty although there are more. */
async function page(mine) {
  let from = cursor;
  for (let steps = 0; ; steps++) {
    const answer = await ask(from, WINDOW);
    from = answer.fleet.next || null;
    if (answer.fleet.locks.length > 0 || from === null || steps === FILTER_PAGES || mine !== round) {
      return { answer, next: from, more: from !== null, locks: answer.fleet.locks };
    }
  }
}

async function refresh() {
  clearTimeout(timer);
  const mine = ++round;
  const text = byId('filter').value.trim().toLowerCase();
  try {
    const result = text ? await search(text, mine) : await page(mine);
    if (mine !== round || result.answer === null) {
      return;
    }
    nextCursor = result.next || null;
    period = Math.max(PERIOD, REST_FOR_A_PAGE * (result.pages || 0));
    showCounters(result.answer);
    const fleet = result.answer.fleet;
    const waits = result.waits || fleet.waits || [];
    showLocks(result.locks, waits);
    const circle = new Set(waits.filter(link => link.circle).map(link => link.lock));
    byId('circles').hidden = circle.size === 0;
    write(byId('circles'), circle.size === 0 ? '' : T.circles(circle.size));
    await refreshHistory();
    write(byId('status'), text ? T.matching(result.locks.length, result.seen, result.more, Math.ceil(period / 1000))
      : T.shown(result.locks.length, result.more));
    byId('source').hidden = !fleet.source;
    write(byId('source'), fleet.source || '');
    byId('problem').hidden = !fleet.problem;
    write(byId('problem'), fleet.problem ? T.refusedList(fleet.problem) : '');
    byId('first').disabled = Boolean(text) || cursor === null;
    byId('next').disabled = nextCursor === null;
  } catch (failure) {
    if (mine !== round) {
      return;
    }
    byId('problem').hidden = false;
    write(byId('problem'), T.noAnswer(failure.message));
  }
  plan();
}

function plan() {
  clearTimeout(timer);
  if (byId('pause').getAttribute('aria-pressed') === 'false' && !document.hidden) {
    timer = setTimeout(refresh, period);
  }
}

function goTo(place) {
  cursor = place;
  refresh();
}

document.documentElement.lang = LANGUAGE;
document.title = T.title;
document.querySelectorAll('[data-text]').forEach(named => write(named, T[named.dataset.text]));
byId('tools').addEventListener('submit', event => {
  event.preventDefault();
  refresh();
});
let typing = 0;
byId('filter').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => goTo(null), 300);
});
byId('pause').addEventListener('click', () => {
  const pressed = byId('pause').getAttribute('aria-pressed') === 'true';
  byId('pause').setAttribute('aria-pressed', String(!pressed));
  if (pressed) {
    refresh();
  } else {
    plan();
  }
});
byId('history-close').addEventListener('click', () => {
  historyOf = null;
  byId('history').hidden = true;
});
byId('first').addEventListener('click', () => goTo(null));
byId('next').addEventListener('click', () => goTo(nextCursor));
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && byId('pause').getAttribute('aria-pressed') === 'false') {
    refresh();
  }
});
refresh();
