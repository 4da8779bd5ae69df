import { appendFile, cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { PostgresServer } from './postgres.ts';

/** Files of the running server alone: its process id, and the log, which the replica gets by streaming. */
const LEFT_OUT = /^(postmaster\..*|pg_wal[\\/].*)$/;

/**
 * Starts a streaming replica of a server, made as an operator without pg_basebackup would make it.
 * @param name by which `synchronous_standby_names` can name it
 */
export function startReplica(primary: PostgresServer, name = 'replica'): Promise<PostgresServer> {
  return primary.startBeside(async (data, beside) => {
    const client = new pg.Client(primary.url('postgres'));
    await client.connect();
    // As docs/deployment.md sets it: what is made next ends with a checkpoint, after which a replica that is slow at that
    // moment would miss its log for ever.
    await client.query("alter system set wal_keep_size = '1GB'");
    await client.query('select pg_reload_conf()');
    await client.query("select pg_backup_start('replica', true)");
    await cp(data, beside, { recursive: true, filter: (file) => !LEFT_OUT.test(path.relative(data, file)) });
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await client.end();
    await writeFile(path.join(beside, 'backup_label'), rows[0].labelfile);
    await writeFile(path.join(beside, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    // deploy/several/replica.sh sets the interval too.
    const settings = `primary_conninfo = '${source}'\nwal_retrieve_retry_interval = 500ms\n`;
    await appendFile(path.join(beside, 'postgresql.auto.conf'), settings);
  });
}
