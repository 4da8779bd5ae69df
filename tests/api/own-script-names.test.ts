import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { category, createEntry, createSchool, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

// Without their marks, the names of each row are the same.
describeProduct('names in scripts in which a mark makes another word, on %s', (product) => {
  const user = userOf(product);
  const admin = adminOf(product);
  const NAMES = ['バス', 'パス', 'ハス'] as const;

  test('are not taken for one another by proposals, imports and merges', async () => {
    const school = await createSchool(product, unique('School'));
    const [bus = '', pass = '', lotus = ''] = NAMES.map((name) => `${name}部`);
    const { id } = await createEntry(product, category, school.id, bus);
    const propose = (name: string) =>
      call(product, 'POST /auth/proposeEntry', {
        token: user.token,
        body: { schoolId: school.id, category: category.kind, name },
      });
    expect((await propose(bus)).body.id).toBe(id);
    const proposed = await propose(pass);
    expect(proposed.status).toBe(201);
    expect((await propose(lotus)).status).toBe(201);
    expect((await propose(pass)).body.proposalId).toBe(proposed.body.id);

    const rows = [bus, pass, lotus].map((name) => `${school.schoolName},${category.kind},${name},`);
    const csv = ['school,category,name,description', ...rows, ''].join('\n');
    const { body: plan } = await call(product, 'POST /auth/checkImport', { token: admin.token, body: { csv } });
    expect(plan).toMatchObject({ adds: 2, same: 1, refused: 0 });

    const other = await createSchool(product);
    const kept = [
      await createEntry(product, category, other.id, pass),
      await createEntry(product, category, other.id, lotus),
    ];
    const joined = await createEntry(product, category, other.id, bus);
    const body = { from: other.id, into: school.id };
    expect((await call(product, 'POST /auth/mergeSchools', { token: admin.token, body })).status).toBe(200);
    const { body: entries } = await call(product, `GET /auth/${category.calls.list}/${school.id}`);
    const ids = entries.map((entry: { id: number }) => entry.id);
    expect(ids).toEqual(expect.arrayContaining([id, ...kept.map((entry) => entry.id)]));
    expect(ids).not.toContain(joined.id);
  });

  test('are not taken for one another by proposals of schools, under names and aliases', async () => {
    const location = 'Osaka, Japan';
    const [bus, pass, lotus] = NAMES.map((name) => `${name}大学`);
    const add = { schoolName: bus, aliases: [pass], location, description: 'A school.' };
    const { body: school } = await call(product, 'POST /auth/postSchool', { token: admin.token, body: add });
    const propose = (schoolName: string | undefined) =>
      call(product, 'POST /auth/proposeSchool', { token: user.token, body: { schoolName, location } });
    expect([(await propose(bus)).body.id, (await propose(pass)).body.id]).toEqual([school.id, school.id]);
    expect((await propose(lotus)).status).toBe(201);
  });
});
