import { chmodSync, readFileSync, renameSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';

/** `read`: changes are refused, reads are served. */
export const MAINTENANCE_MODES = ['read', 'off'] as const;
type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

/** The sentence of a page and of a refused change. */
export const READ_ONLY = 'The site is being worked on: it can be read, but nothing can be saved.';

/** In the answer to a change that is refused. */
export const MAINTENANCE_CODE = 'maintenance';

/** A change of the file takes effect within this time. */
const LOOK_EVERY_MS = 1_000;

/** The maintenance mode of the site. */
export type Maintenance = ReturnType<typeof createMaintenance>;

/** The mode that a file names; undefined without a file or a mode in it. */
function readMode(path: string): MaintenanceMode | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return MAINTENANCE_MODES.find((mode) => mode === text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * Names the mode. Everybody may read the file, whatever the umask: the command may run as another user than the server.
 */
export function writeMode(path: string, mode: MaintenanceMode): void {
  const complete = `${path}.${process.pid}`;
  writeFileSync(complete, `${mode}\n`);
  chmodSync(complete, 0o644);
  renameSync(complete, path);
}

/**
 * Reads the mode from a file, so that it changes without a restart, in all processes that share the folder.
 * @param setting the mode while the file names none; with `read`, the file counts only from its next change on
 * @param onChange called after each change of the mode
 */
export function createMaintenance(setting: MaintenanceMode, path: string, onChange: () => void) {
  let mode = setting;
  let onFile = () => {};
  return {
    isReadOnly: () => mode === 'read',
    /** Reads the file, and follows its changes. */
    begin(log: FastifyBaseLogger): void {
      onFile = () => {
        const modeBefore = mode;
        try {
          mode = readMode(path) ?? setting;
        } catch (error) {
          log.warn({ event: 'maintenance-unknown', err: error }, 'the file cannot be read: the mode stays as it is');
        }
        if (mode === modeBefore) return;
        log.warn({ event: 'maintenance', mode }, 'maintenance: read is a site that can only be read, off any other');
        onChange();
      };
      if (setting === 'off') onFile();
      else log.warn({ event: 'maintenance', mode }, 'MAINTENANCE=read: the site can only be read');
      watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, onFile);
    },
    stop: () => unwatchFile(path, onFile),
  };
}
