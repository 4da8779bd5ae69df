import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkplace, expectRefusal, runCommand, runCommandProcess } from '../support/command.ts';

const { newDataDir } = createWorkplace();

const COMMANDS = readdirSync('src/server/commands')
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => readFileSync(`src/server/commands/${file}`, 'utf8').includes('createCommand(HELP'))
  .map((file) => basename(file, '.ts'));

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const documented = [...readFileSync('README.md', 'utf8').matchAll(/`npm run ([\w-]+)/g)].map(([, name]) => name);

test.each(COMMANDS)('%s --help says how it is used, whatever the settings', async (command) => {
  const script = Object.keys(scripts).find((name) => scripts[name]?.endsWith(`/commands/${command}.ts`));
  expect(script).toBeDefined();
  expect(documented).toContain(script);
  const { code, stdout, stderr } = await runCommandProcess(command, ['--help'], { DATABASE_URL: 'nonsense' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    new RegExp(`^Usage: npm run ${script}\\b.*\\n[A-Z].*\\.\\n\\n(  .*\\n)*  --help +prints this\\n$`),
  );
});

test.each(COMMANDS)('%s refuses an option that it does not have', async (command) => {
  await expectRefusal(runCommand(command, ['--dry-run'], { DATA_DIR: newDataDir() }), "Unknown option '--dry-run'");
});

test('there are commands', () => {
  expect(COMMANDS).toContain('compact');
  expect(COMMANDS.length).toBeGreaterThan(7);
});
