import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * A post office for a stage: it takes mails by SMTP (RFC 5321) and puts each into the Maildir of whom it is for.
 *
 *     node post.mjs PORT FOLDER      mails for ana@… lie in FOLDER/ana/new
 */

const [port = '', root = ''] = process.argv.slice(2);
const MOST = 10_000_000;
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

function deliver(to, mail) {
  for (const name of new Set(to)) {
    const box = join(root, name);
    for (const part of ['tmp', 'new', 'cur']) mkdirSync(join(box, part), { recursive: true });
    const file = `${readdirSync(join(box, 'new')).length + readdirSync(join(box, 'cur')).length + 1}.mail`;
    writeFileSync(join(box, 'tmp', file), mail);
    renameSync(join(box, 'tmp', file), join(box, 'new', file));
  }
}

function talk(socket) {
  const say = (line) => socket.write(`${line}\r\n`);
  let [left, to, mail] = ['', [], null];
  const command = (line) => {
    const [word = '', rest = ''] = [line.slice(0, 4).toUpperCase(), line.slice(5)];
    if (word === 'EHLO' || word === 'HELO') say('250 post.lab.example');
    else if (word === 'MAIL' || word === 'RSET') {
      to = [];
      say('250 OK');
    } else if (word === 'RCPT') {
      const name = /<([^@<>]+)@[^<>]*>/.exec(rest)?.[1]?.toLowerCase() ?? '';
      if (NAME.test(name)) to.push(name);
      say(NAME.test(name) ? '250 OK' : '550 no such name');
    } else if (word === 'DATA') {
      mail = to.length > 0 ? [] : null;
      say(mail ? '354 end with a dot' : '503 say for whom first');
    } else if (word === 'QUIT') socket.end('221 bye\r\n');
    else say(word === 'NOOP' ? '250 OK' : '502 not known');
  };
  const line = (text) => {
    if (mail === null) return command(text);
    if (text !== '.') return mail.push(text.startsWith('.') ? text.slice(1) : text);
    try {
      deliver(to, `${mail.join('\n')}\n`);
      say('250 delivered');
    } catch (error) {
      say(`452 ${error.code ?? 'it could not be kept'}`);
    }
    mail = null;
  };
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    left += chunk;
    if (left.length > MOST) return socket.end('552 too long\r\n');
    for (let end = left.indexOf('\n'); end >= 0; end = left.indexOf('\n')) {
      const text = left.slice(0, end).replace(/\r$/, '');
      left = left.slice(end + 1);
      line(text);
    }
  });
  say('220 post.lab.example');
}

createServer(talk).listen(Number(port), '127.0.0.1');
