import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Mounted extends Disposable {
  readonly folder: string;
  unmount(): void;
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Why nothing can be mounted on this machine; undefined when mounting works. */
export function cannotMount(): string | undefined {
  if (os.type() !== 'Linux') return 'mounts of Linux';
  if (process.getuid?.() !== 0) return 'root, to mount file systems of its own';
  return undefined;
}

/** Mounts something until it is unmounted or this process ends, on the given folder or a new one. */
function mount(args: readonly string[], point?: string): Mounted {
  const folder = point ?? mkdtempSync(path.join(os.tmpdir(), 'school-reviews-torture-disk-'));
  run('mount', ...args, folder);
  const unmount = () => {
    process.off('exit', unmount);
    run('umount', '--lazy', folder);
    if (point === undefined) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', unmount);
  return { folder, unmount, [Symbol.dispose]: unmount };
}

/** A disk in memory. */
export function mountSmall(megabytes: number, point?: string): Mounted & { resize(megabytes: number): void } {
  const mounted = mount(['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs'], point);
  return { ...mounted, resize: (size) => run('mount', '-o', `remount,size=${size}m`, mounted.folder) };
}

/** An ext4 file system in a file. */
export function makeImage(file: string, megabytes: number): void {
  run('truncate', '--size', `${megabytes}M`, file);
  run('mkfs.ext4', '-q', '-F', file);
}

export const mountImage = (file: string): Mounted => mount(['-o', 'loop', file]);

/** Writes what the kernel has buffered for a disk. */
export function syncDisk(folder: string): void {
  run('sync', '--file-system', folder);
}

/** Copies the disk as it is now, without what the kernel has not written to it yet. */
export function copyImage(from: string, to: string): void {
  run('cp', '--sparse=always', from, to);
}

/** Fills a disk to the last byte. @returns the file that does, to be removed */
export function fillDisk(folder: string): string {
  const ballast = path.join(folder, 'ballast');
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  return ballast;
}
