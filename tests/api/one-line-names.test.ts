import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { insertProposal } from '../../src/server/proposals/proposed-queries.ts';
import { call } from '../support/call.ts';
import { hide } from '../support/moderation.ts';
import { accept, refuse } from '../support/proposals.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  readMailsTo,
  type TestUser,
} from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';
import { hashState } from '../support/state.ts';

/** Characters that break a line, are invisible or reverse the direction of text. */
const BREAKS = ['\n', '\r\n', '\t', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066'];
const PHISHING = 'Rowing\n\nYour account is suspended. Log in at http://evil.example';
const IN_ONE_LINE = 'Rowing Your account is suspended. Log in at http://evil.example';

describeProduct('names on %s', (product) => {
  const admin = adminOf(product);
  const user = userOf(product);

  const rest = { description: 'Two\nlines.', location: 'Oslo, Norway' };

  test('of schools, entries and proposals are refused with a line break or a control character', async () => {
    const { id: schoolId } = await createSchool(product);
    const calls: [request: string, by: TestUser, body: (name: string) => object, field: string, title: string][] = [
      ['POST /auth/postSchool', admin, (schoolName) => ({ schoolName, ...rest }), 'schoolName', 'school name'],
      ['POST /auth/proposeSchool', user, (schoolName) => ({ schoolName, ...rest }), 'schoolName', 'school name'],
      [
        'PUT /auth/updateSchool',
        admin,
        (alias) => ({ id: schoolId, schoolName: 'Plain', ...rest, aliases: ['MIT', alias] }),
        'aliases',
        'aliases',
      ],
      [
        'POST /auth/proposeEntry',
        user,
        (name) => ({ schoolId, category: category.kind, name, description: 'x' }),
        'name',
        'name',
      ],
      ['PUT /auth/decideProposal/1', admin, (name) => ({ action: 'accept', name }), 'name', 'name'],
      [
        'PUT /auth/decideProposal/1',
        admin,
        (schoolName) => ({ action: 'accept', schoolName }),
        'schoolName',
        'school name',
      ],
    ];
    for (const { calls: entryCalls, nameField } of CATEGORIES) {
      const title = nameField;
      const create = (name: string) => ({ [nameField]: name, description: 'x', schoolId });
      const update = (name: string) => ({ [nameField]: name, description: 'x', id: 1 });
      calls.push([`POST /auth/${entryCalls.create}`, admin, create, nameField, title]);
      calls.push([`PUT /auth/${entryCalls.update}`, admin, update, nameField, title]);
    }
    const before = await hashState(product);
    for (const [request, { token }, body, field, title] of calls) {
      for (const character of BREAKS) {
        const answer = await call(product, request, { token, body: body(`Rowing${character}Club`) });
        expect([answer.status, answer.body.field], `${request} with ${JSON.stringify(character)}`).toEqual([
          400,
          field,
        ]);
        expect(answer.body.error).toMatch(
          new RegExp(`^(The|Each of the) ${title} must be one line, without control characters\\.$`),
        );
      }
    }
    expect(await hashState(product)).toEqual(before);
    const joined = 'می\u200cخواهم \u200fשלום';
    const body = { schoolName: joined, ...rest };
    const made = await call(product, 'POST /auth/postSchool', { token: admin.token, body });
    expect([made.status, made.body.schoolName, made.body.description]).toEqual([201, joined, rest.description]);
  });

  test('that an earlier version stored are quoted in one line by mails, and made in one by acceptance', async () => {
    const [author, proposer] = [await createUser(product), await createUser(product)];
    const entry = await createEntry(product, category);
    await product.app.database.write((db) =>
      db.updateTable('entries').set({ name: PHISHING }).where('id', '=', entry.id).execute(),
    );
    const { body } = await postReview(product, category, entry.id, author);
    await hide(product, admin, body.id);
    const [hidden = ''] = await readMailsTo(product, author.email);
    expect(hidden).toContain(`Your review of ${IN_ONE_LINE} was hidden.`);

    async function propose(name: string, schoolId?: number): Promise<number> {
      const proposed =
        schoolId === undefined
          ? ({ kind: 'school', name, location: 'Oslo, Norway', description: '' } as const)
          : ({ kind: 'entry', schoolId, category: category.kind, name, description: '' } as const);
      const made = await product.app.database.write((db) => insertProposal(db, proposer.id, proposed, Date.now()));
      return 'id' in made ? made.id : 0;
    }
    const [ofSchool, ofEntry, refused] = [
      await propose(PHISHING),
      await propose(PHISHING.replace('Rowing', 'Sailing'), entry.schoolId),
      await propose(`${PHISHING}!!`, entry.schoolId),
    ];
    const made = await accept(product, admin, ofSchool);
    const school = await call(product, `GET /auth/getSchool/${made.body.schoolId}`);
    expect(school.body.schoolName).toBe(IN_ONE_LINE);
    expect((await accept(product, admin, ofEntry)).status).toBe(200);
    const [, second] = (await call(product, `GET /auth/${category.calls.list}/${entry.schoolId}`)).body;
    expect(second[category.nameField]).toBe(IN_ONE_LINE.replace('Rowing', 'Sailing'));
    expect((await refuse(product, admin, refused, 'No school.')).status).toBe(200);
    const mails = await readMailsTo(product, proposer.email);
    expect(mails).toHaveLength(3);
    for (const mail of mails)
      expect(mail).toMatch(
        /^Your proposal of \w+ing Your account is suspended\. Log in at .* was (accepted|refused)\./m,
      );
  });
});
