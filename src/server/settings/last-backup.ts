import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file whose age says when a backup was last made. */
export const lastBackupFile = (dataDir: string) => join(dataDir, 'last-backup');

/** Notes that a backup was made. @param path of the backup */
export function noteBackup(dataDir: string, path: string): void {
  writeFileSync(lastBackupFile(dataDir), `${path}\n`, { mode: 0o600 });
}
