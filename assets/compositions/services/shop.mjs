import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * A small shop for a stage, over SQLite: a list of goods, an order by the number of one, its sum.
 *
 *     node shop.mjs serve DATABASE PORT
 *     node shop.mjs stock DATABASE GOODS COUNT     what an event of a scenario changes
 */

const [act = '', file = '', ...words] = process.argv.slice(2);
mkdirSync(dirname(file), { recursive: true });
const database = new DatabaseSync(file);
database.exec(`PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS goods (number TEXT PRIMARY KEY, name TEXT NOT NULL, cents INTEGER NOT NULL, stock INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, goods TEXT NOT NULL, count INTEGER NOT NULL, cents INTEGER NOT NULL, total TEXT NOT NULL, at TEXT NOT NULL);
  INSERT OR IGNORE INTO goods VALUES ('P1', 'Copy paper, 500 sheets', 645, 40), ('P2', 'Labels, 100', 1290, 25),
    ('E1', 'Envelopes, 50', 480, 12), ('T1', 'Toner, black', 5400, 3);`);

const money = (cents) => (cents / 100).toFixed(2);
const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const page = (body) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lab shop</title>
<style>body{font:18px sans-serif;margin:30px}td,th{padding:6px 18px;text-align:left;border-bottom:1px solid #999}input{font:inherit;width:90px;margin:0 18px 0 8px}button{font:inherit;padding:4px 18px}</style>
</head><body><h1>Lab shop</h1>${body}</body></html>`;
const FORM = `<form method="post" action="/orders"><label>Number<input name="goods" autofocus autocomplete="off"></label>
<label>Count<input name="count" autocomplete="off"></label><button>Order</button></form>`;

function list(why = '') {
  const rows = database
    .prepare('SELECT * FROM goods ORDER BY number')
    .all()
    .map(
      ({ number, name, cents, stock }) =>
        `<tr><td>${number}<td>${escaped(name)}<td>${money(cents)}<td>${stock === 0 ? 'sold out' : `${stock} left`}`,
    );
  return page(`<table><tr><th>Number<th>Goods<th>Price<th>Stock${rows.join('')}</table><p>${escaped(why)}</p>${FORM}`);
}

function order(form) {
  const goods = database.prepare('SELECT * FROM goods WHERE number = ?').get((form.get('goods') ?? '').toUpperCase());
  const count = Number(form.get('count'));
  if (!goods) return 'There are no goods of this number.';
  if (!Number.isInteger(count) || count < 1) return 'How many?';
  if (count > goods.stock) return `Of ${goods.name} only ${goods.stock} are left.`;
  const cents = goods.cents * count;
  database.prepare('UPDATE goods SET stock = stock - ? WHERE number = ?').run(count, goods.number);
  const { lastInsertRowid } = database
    .prepare('INSERT INTO orders (goods, count, cents, total, at) VALUES (?, ?, ?, ?, ?)')
    .run(goods.number, count, cents, money(cents), new Date().toISOString().slice(0, 16));
  return Number(lastInsertRowid);
}

function ordered(id) {
  const one = database
    .prepare('SELECT orders.*, goods.name FROM orders JOIN goods ON goods.number = orders.goods WHERE id = ?')
    .get(id);
  if (!one) return null;
  const when = one.at.replace('T', ' at ');
  return page(
    `<h2>Order ${one.id}</h2><p>${one.count} times ${escaped(one.name)}</p><p>Total ${one.total}</p><p>Taken on ${when}</p><p><a href="/">Back to the list</a></p>`,
  );
}

async function answer(request, response) {
  const send = (status, text) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  const path = new URL(request.url ?? '/', 'http://shop').pathname;
  if (request.method === 'POST' && path === '/orders') {
    let body = '';
    for await (const chunk of request) if (body.length < 10_000) body += chunk;
    const done = order(new URLSearchParams(body));
    if (typeof done === 'string') return send(400, list(done));
    return response.writeHead(303, { location: `/orders/${done}` }).end();
  }
  const shown = path === '/' ? list() : /^\/orders\/\d{1,9}$/.test(path) ? ordered(Number(path.slice(8))) : null;
  return shown === null ? send(404, page('<p>There is no such page.</p>')) : send(200, shown);
}

if (act === 'serve') {
  createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  }).listen(Number(words[0]), '127.0.0.1');
} else if (act === 'stock') {
  const { changes } = database
    .prepare('UPDATE goods SET stock = ? WHERE number = ?')
    .run(Number(words[1]), words[0] ?? '');
  if (changes !== 1) throw new Error(`no goods have the number ${words[0]}`);
} else throw new Error('say serve or stock');
