// node torture/grow-log.ts FILE MEGABYTES: lets the log of a database grow, as a reader who never ends would, and waits.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const [file = '', megabytes = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('PRAGMA wal_autocheckpoint = 0');
const change = database.prepare('update reviews set edited_at = created_at where id between ? and ?');
for (let first = 1; (statSync(`${file}-wal`).size ?? 0) < Number(megabytes) * 1024 * 1024; first += 500) {
  change.run(first, first + 499);
}
process.stdout.write('grown\n');
setInterval(() => {}, 60_000);
