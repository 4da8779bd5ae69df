import { readFileSync, unwatchFile, watchFile } from 'node:fs';

/** `read`: changes are refused, reads are served. */
export const MAINTENANCE_MODES = ['read', 'off'] as const;
export type MaintenanceMode = (typeof MAINTENANCE_MODES)[number];

/** The sentence of a page and of a refused change. */
export const READ_ONLY = 'The site is being worked on: it can be read, but nothing can be saved.';

/** A change of the file takes effect within this time. */
const LOOK_EVERY_MS = 1_000;

/** Whether the site can only be read for a while. */
export interface Maintenance {
  isReadOnly(): boolean;
  /** Calls back after each change. */
  follow(onChange: () => void): void;
  stop(): void;
}

/** The mode that a file names; undefined when there is none, or it names none. */
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
 * Follows a file that names the mode, so that it changes without a restart, in all processes that share the folder.
 * @param setting the mode while the file does not name one
 */
export function followMaintenance(setting: MaintenanceMode, path: string): Maintenance {
  const followers: (() => void)[] = [];
  const findMode = () => readMode(path) ?? setting;
  let mode = findMode();
  const onFile = () => {
    const modeBefore = mode;
    mode = findMode();
    if (mode !== modeBefore) for (const onChange of followers) onChange();
  };
  watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, onFile);
  return {
    isReadOnly: () => mode === 'read',
    follow: (onChange) => void followers.push(onChange),
    stop: () => unwatchFile(path, onFile),
  };
}
