import { expect, test } from 'vitest';
import { IMPORT_MAX_BYTES } from '../../src/contract/imports.ts';
import { storeAliases } from '../../src/server/schools/queries.ts';
import { type Answer, call } from '../support/call.ts';
import { createWorkplace, runCommand } from '../support/command.ts';
import { dataOf } from '../support/product.ts';
import { category, createSchool, createUser, signIn, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const { fileOf } = createWorkplace();
const HOUR = 60 * 60_000;

describeProduct('a file of an admin on %s', (product) => {
  const admin = adminOf(product);
  const check = (csv: string, who: TestUser = admin) =>
    call(product, 'POST /auth/checkImport', { token: who.token, body: { csv } });
  const run = (csv: string, digest: string, who: TestUser = admin) =>
    call(product, 'POST /auth/runImport', { token: who.token, body: { csv, digest } });
  const entriesOf = async (schoolId: number) =>
    (await call(product, `GET /auth/${category.calls.list}/${schoolId}`)).body;
  const resultsOf = ({ body }: Answer) =>
    body.rows.map(({ row, result, reason }: { row: number; result: string; reason?: string }) =>
      reason === undefined ? `${row} ${result}` : `${row} ${result}: ${reason}`,
    );

  test('is checked line by line, changes nothing, and then does what the check said', async () => {
    const school = await createSchool(product);
    const [alias, shared] = [unique('Also'), unique('Shared')];
    const [one, other] = [await createSchool(product), await createSchool(product)];
    await product.app.database.write(async (db) => {
      await storeAliases(db, school.id, [alias]);
      for (const { id } of [one, other]) await storeAliases(db, id, [shared]);
    });
    const csv = [
      'school;category;name;description',
      `${school.schoolName.replace('-', '\uFEFF-')};${category.label};Rowing;"Eights;`,
      'and fours"',
      `${alias.toUpperCase()};${category.kind};Chess;`,
      `${alias};${category.kind};CHESS;Again.`,
      `${shared};${category.kind};Go;`,
      'Nowhere;Clubs;Go;',
    ].join('\r\n');
    const checked = await check(csv);
    expect(checked.status).toBe(200);
    expect(checked.body).toMatchObject({ digest: expect.any(String), adds: 2, same: 1, refused: 2 });
    const results = [
      '2 add',
      '4 add',
      '5 same',
      `6 refused: 2 schools are called ${shared}: the column location must say which one.`,
      '7 refused: There is no school Nowhere.',
    ];
    expect(resultsOf(checked)).toEqual(results);
    expect(await entriesOf(school.id)).toEqual([]);
    const imported = await run(csv, checked.body.digest);
    expect(imported.status).toBe(200);
    expect(imported.body).toEqual(checked.body);
    const entries = await entriesOf(school.id);
    expect(entries).toHaveLength(2);
    expect(entries).toMatchObject([
      { [category.nameField]: 'Chess', description: '' },
      { [category.nameField]: 'Rowing', description: 'Eights;\nand fours' },
    ]);
    expect(resultsOf(await check(csv)).slice(0, 2)).toEqual(['2 same', '4 same']);
    const trail = await call(product, 'GET /auth/getAdminActs?act=runImport', { token: admin.token });
    expect(trail.body[0]).toMatchObject({
      userId: admin.id,
      reason: '2 added, 1 there already, 2 refused',
    });
  });

  test('is run only by whoever checked just this, within the hour', async () => {
    const other = await createUser(product, { isAdmin: true });
    const csv = `schoolName\tdescription\tlocation\n${unique('New')}\t\tHere\n`;
    const { digest } = (await check(csv)).body;
    expect((await run(csv, digest, other)).status).toBe(409);
    expect((await run(`${csv}\n`, digest)).status).toBe(409);
    expect((await run(csv, `1${digest}`)).status).toBe(409);
    expect((await run(csv, 'x')).status).toBe(409);
    product.clock.ahead += HOUR;
    const late = { ...admin, token: await signIn(product, admin.id) };
    expect((await run(csv, digest, late)).status).toBe(409);
    product.clock.ahead = 0;
    expect((await run(csv, digest)).body).toMatchObject({ adds: 1 });
    expect((await run(csv, digest)).body).toMatchObject({ adds: 0, same: 1 });
  });

  test.each([
    ['no header', 'nothing'],
    ['a header alone', 'schoolName,description,location\n'],
  ])('with %s is refused', async (_, csv) => {
    expect((await check(csv)).body.field).toBe('csv');
    expect((await run(csv, 'x')).status).toBe(409);
  });

  test('with more than 5 MB is refused', async () => {
    const csv = `schoolName,description,location\n${'x'.repeat(IMPORT_MAX_BYTES)}`;
    expect((await check(csv)).status).toBe(413);
    expect((await run(csv, 'x')).status).toBe(413);
  });

  test('of five thousand rows, checked and run, counts each once', async () => {
    const school = await createSchool(product);
    const rows = Array.from({ length: 5_000 }, (_, index) => `${school.schoolName},clubs,Club ${index % 2_500},`);
    const csv = `school,category,name,description\n${rows.join('\n')}`;
    const { body } = await check(csv);
    expect(body).toMatchObject({ adds: 2_500, same: 2_500, refused: 0 });
    expect((await run(csv, body.digest)).body).toEqual(body);
  });

  test.each([
    ['UTF-16 with semicolons', 'utf16le', ';', '\ufeff'],
    ['UTF-8 with a mark and tabs', 'utf8', '\t', '\ufeff'],
    ['a first line that names the separator', 'utf8', ';', 'sep=;\n'],
  ] as const)('is taken by the command in %s', async (_, encoding, separator, begin) => {
    const name = `${unique('Universität')} Öst`;
    const lines = [
      ['schoolName', 'description', 'location'],
      [name, '', 'Wien'],
      ['', '', ''],
    ];
    const text = begin + lines.map((fields) => fields.join(separator)).join('\r\n');
    const { code, stdout } = await runCommand(
      'import',
      [fileOf(`${name}.csv`, Buffer.from(text, encoding))],
      dataOf(product),
    );
    expect(stdout).toMatch('2 rows, 1 added, 0 already there, 1 skipped');
    expect(code).toBe(2);
    const found = await call(product, `GET /auth/schools?prefix=${encodeURIComponent(name)}`);
    expect(found.body).toMatchObject([{ schoolName: name }]);
    const { body } = await call(product, `GET /auth/getSchool/${found.body[0].id}`);
    expect(body.description).toBe('');
  });
});
