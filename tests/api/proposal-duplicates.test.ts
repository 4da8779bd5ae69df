import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { accept, findProposal, myProposals, proposeEntry, proposeSchool, refuse } from '../support/proposals.ts';
import { category, createEntry, createSchool, createUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

describeProduct('proposals of existing schools and entries on %s', (product) => {
  const admin = adminOf(product);
  const user = userOf(product);

  const similarTo = async (id: number) => (await findProposal(product, admin, id)).similar;

  test('of an existing one are a 409 with its id, of a proposed one with that of the proposal', async () => {
    const proposer = await createUser(product);
    const schoolName = unique('St. Élodie’s College');
    const made = await call(product, 'POST /auth/postSchool', {
      token: admin.token,
      body: { schoolName, location: 'Lyon, France', description: 'x' },
    });
    const folded = schoolName.toUpperCase().replace('ÉLODIE’S', 'Elodies').replace('ST.', 'st');
    const there = await proposeSchool(product, proposer, { schoolName: folded, location: 'Paris,  FRANCE' });
    expect([there.status, there.body]).toEqual([409, { error: 'This school is there already.', id: made.body.id }]);
    const elsewhere = { schoolName: folded, location: 'Bruges, Belgium' };
    const open = await proposeSchool(product, proposer, elsewhere);
    expect(open.status).toBe(201);
    const again = await proposeSchool(product, user, elsewhere);
    const words = 'This is proposed already. An admin will look at it.';
    expect([again.status, again.body]).toEqual([409, { error: words, proposalId: open.body.id }]);
    await refuse(product, admin, open.body.id, 'Not a school.');
    expect((await proposeSchool(product, user, elsewhere)).status).toBe(201);

    const entry = await createEntry(product, category, made.body.id);
    const same = await proposeEntry(product, proposer, {
      schoolId: made.body.id,
      name: ` ${entry.name.toUpperCase()}! `,
    });
    const isThere = 'This is there already. You can review it.';
    expect([same.status, same.body]).toEqual([409, { error: isThere, id: entry.id }]);
    const inOther = { schoolId: made.body.id, name: entry.name, category: 'others' };
    expect((await proposeEntry(product, proposer, inOther)).status).toBe(201);
    expect((await proposeEntry(product, proposer, { schoolId: 999_999, name: 'Rowing' })).status).toBe(404);
    // The refused requests stored no proposal.
    expect(await myProposals(product, proposer)).toHaveLength(2);
  });

  test('of a school under an alias of one are a 409 with its id, as long as it has the alias', async () => {
    const proposer = await createUser(product);
    const send = (schoolName: string, location = 'Geneva, Switzerland') =>
      proposeSchool(product, proposer, { schoolName, location });
    const [alias, name] = [unique('É.T.H.'), unique('Polytechnic')];
    const fields = { schoolName: name, location: 'Zürich, Switzerland', description: 'x' };
    const asAdmin = async (request: string, body: object) =>
      (await call(product, request, { token: admin.token, body })).body;
    const { id } = await asAdmin('POST /auth/postSchool', { ...fields, aliases: [alias, alias.toLowerCase()] });
    const folded = alias.replaceAll('.', '').replace('É', 'e');
    const there = await send(folded);
    expect([there.status, there.body]).toEqual([409, { error: 'This school is there already.', id }]);
    const elsewhere = await send(folded, 'Lyon, France');
    expect(elsewhere.status).toBe(201);

    // A school of that name comes before a school of that alias.
    const named = await asAdmin('POST /auth/postSchool', { ...fields, schoolName: alias });
    expect((await send(folded)).body).toMatchObject({ id: named.id });
    await call(product, `DELETE /auth/deleteSchool/${named.id}`, { token: admin.token });
    await asAdmin('PUT /auth/updateSchool', { ...fields, id, description: 'Left out: unchanged.' });
    expect((await send(folded)).body).toMatchObject({ id });
    // A proposal that is accepted after the school has got its name as an alias leads to this school.
    const other = await send('Technikum');
    await asAdmin('PUT /auth/updateSchool', { ...fields, id, aliases: ['Technikum'] });
    expect((await accept(product, admin, other.body.id)).body).toMatchObject({ state: 'accepted', schoolId: id });
    expect((await send('TECHNIKUM')).body).toMatchObject({ id });
    expect((await send(folded)).status).toBe(201);

    const successor = await createSchool(product);
    const into = { ...fields, id: successor.id, schoolName: successor.schoolName };
    await asAdmin('PUT /auth/updateSchool', into);
    await asAdmin('POST /auth/mergeSchools', { from: id, into: successor.id });
    for (const known of ['Technikum', name]) expect((await send(known)).body).toMatchObject({ id: successor.id });
    await call(product, `DELETE /auth/deleteSchool/${successor.id}`, { token: admin.token });
    expect((await send('Technikum')).status).toBe(201);
  });

  test('are shown to an admin with what they may duplicate: the closest names there are', async () => {
    const school = await createSchool(product, 'University of Quillon');
    await createSchool(product, 'University of Somewhere Else');
    const sent = await proposeSchool(product, user, {
      schoolName: 'Quilon University, Main Campus',
      location: 'Here',
    });
    expect(await similarTo(sent.body.id)).toEqual([{ id: school.id, name: school.schoolName }]);
    const entry = await createEntry(product, category, school.id);
    const { body } = await proposeEntry(product, user, { schoolId: school.id, name: `The ${entry.name}s` });
    expect(await similarTo(body.id)).toEqual([{ id: entry.id, name: entry.name }]);
  });
});
