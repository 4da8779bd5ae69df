import { beforeAll, expect, test } from 'vitest';
import { LINE } from '../../src/contract/fields.ts';
import { call } from '../support/call.ts';
import { type Case, problemsOf } from '../support/corpus/case.ts';
import { JSON_TYPE } from '../support/corpus/fields.ts';
import { expectAnswers } from '../support/corpus/run.ts';
import { type Reply, send } from '../support/corpus/send.ts';
import { INVISIBLE_TEXTS, JOINED_TEXTS, NAUGHTY_TEXTS } from '../support/corpus/texts.ts';
import { category, createEntry, createSchool, postReview, unique } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';
import { hashState } from '../support/state.ts';

interface TextCase extends Case {
  readonly sent: string;
}

/** Where a text is sent, where it is read back, and which server-rendered page shows it. */
interface Place {
  name: string;
  method: string;
  path: string;
  body: (text: string) => object;
  token: string;
  readBack: () => Promise<string>;
  page?: string;
}

describeProduct('texts on %s', (product, engine) => {
  const world = worldOf(product);
  let places: Place[];

  beforeAll(async () => {
    places = await createPlaces();
  });

  async function createPlaces(): Promise<Place[]> {
    const { user, admin } = world;
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    const { body: review } = await postReview(product, category, entry.id, user);
    const read = async (path: string, token?: string) => (await call(product, `GET /auth/${path}`, { token })).body;
    const { calls, nameField, pages } = category;
    return [
      {
        name: 'review',
        method: 'PUT',
        path: `/auth/${calls.updateReview}`,
        body: (text) => ({ id: review.id, rating: 3, review: text }),
        token: user.token,
        readBack: async () => (await read(`${calls.reviews}/${entry.id}`))[0].review,
        page: `${pages.reviews}/${entry.id}`,
      },
      {
        name: 'profile',
        method: 'POST',
        path: '/auth/postProfile',
        body: (text) => ({ userId: user.id, personal: text }),
        token: user.token,
        readBack: async () => (await read(`getProfile/${user.id}`, user.token)).personal,
      },
      {
        name: 'school',
        method: 'PUT',
        path: '/auth/updateSchool',
        body: (text) => ({ id: school.id, schoolName: text, description: text || 'x', location: 'Here' }),
        token: admin.token,
        readBack: async () => (await read(`getSchool/${school.id}`)).schoolName,
        page: `/school/${school.id}`,
      },
      {
        name: 'entry',
        method: 'PUT',
        path: `/auth/${calls.update}`,
        body: (text) => ({ id: entry.id, [nameField]: text, description: 'An entry.' }),
        token: admin.token,
        readBack: async () => (await read(`${calls.nameLookup}/${entry.id}`))[nameField],
        page: `${pages.reviews}/${entry.id}`,
      },
    ];
  }

  /** The served head with the text in it: as many elements as without, and data that says exactly the text. */
  async function problemsOfPage(page: string, stored: string, bare: Reply): Promise<string[]> {
    const { status, text } = await send(product, { method: 'GET', path: page });
    const problems = status === 200 ? [] : [`page ${status}`];
    const elements = (html: string) => html.match(/<[!/a-z]/gi)?.length;
    if (elements(text) !== elements(bare.text)) problems.push('the page has other elements');
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null');
    // What is long is cut in descriptions, never in the data.
    if (!JSON.stringify(data).includes(JSON.stringify(stored).slice(1, -1))) problems.push('the data has not the text');
    return problems;
  }

  async function problemsOfKept(place: Place, sent: string, reply: Reply, bare?: Reply): Promise<string[]> {
    if (reply.status >= 400) return problemsOf({ method: place.method, path: place.path, status: 400 }, reply);
    const wanted = INVISIBLE_TEXTS.includes(sent) ? '' : sent.normalize('NFC').trim();
    const stored = await place.readBack();
    // A page is made of what is read back, whichever engine it comes from.
    const isPageRead = bare !== undefined && engine === 'sqlite';
    if (stored !== wanted) return [`stored ${JSON.stringify(stored).slice(0, 80)}`];
    return isPageRead && place.page ? problemsOfPage(place.page, wanted, bare) : [];
  }

  test.each(['review', 'profile', 'school', 'entry'])('a naughty %s comes back as sent or is refused', async (name) => {
    const place = places.find((one) => one.name === name);
    if (!place) throw new Error(`there is no ${name}`);
    const { method, path, token, page } = place;
    const make = (sent: string): TextCase => ({
      name: `${name} ${JSON.stringify(sent).slice(0, 60)}`,
      sent,
      ...{ method, path, token, headers: JSON_TYPE, body: JSON.stringify(place.body(sent)) },
    });
    expect((await send(product, make(unique('plain')))).status).toBe(200 + Number(name === 'profile'));
    const bare = page ? await send(product, { method: 'GET', path: page }) : undefined;
    const refused: string[] = [];
    await expectAnswers(world, NAUGHTY_TEXTS.map(make), (one, reply) => {
      if (reply.status >= 400) refused.push(one.sent);
      return problemsOfKept(place, one.sent, reply, bare);
    });
    // A text may be refused only if it is empty, too long, impossible to store, or a name of several lines.
    const isName = name === 'school' || name === 'entry';
    const isLine = (text: string) => new RegExp(LINE).test(text.trim());
    const max = { review: 5_000, profile: 2_000, school: 200, entry: 120 }[name] ?? 0;
    const isFitting = (text: string) =>
      text.isWellFormed() &&
      !text.includes('\0') &&
      [...text.normalize('NFC').trim()].length <= max &&
      (!isName || isLine(text));
    const isEmpty = (text: string) => text.trim() === '' || INVISIBLE_TEXTS.includes(text);
    expect(refused.filter((text) => isFitting(text) && !isEmpty(text))).toEqual([]);
  });

  test.each([
    ['a school', 'POST /auth/postSchool', 'schoolName', 'The school name'],
    ['a proposed school', 'POST /auth/proposeSchool', 'schoolName', 'The school name'],
    ['an entry', `POST /auth/${category.calls.create}`, category.nameField, `The ${category.nameField}`],
    ['a proposed entry', 'POST /auth/proposeEntry', 'name', 'The name'],
    ['an alias', 'POST /auth/postSchool', 'aliases', 'Each of the aliases'],
  ])('%s whose name cannot be seen is refused as without a name; joiners inside a name stay', async (...row) => {
    const [, request, field, title] = row;
    const { token } = world.admin;
    const school = await createSchool(product);
    const send = (name: string) => {
      const texts = { schoolName: unique('School'), description: 'x', location: 'Here', category: category.kind };
      const body = { ...texts, schoolId: school.id, [field]: field === 'aliases' ? [name] : name };
      return call(product, request, { token, body });
    };
    const before = await hashState(product);
    for (const name of INVISIBLE_TEXTS) {
      const { status, body } = await send(name);
      expect([status, body], JSON.stringify(name)).toEqual([400, { error: `${title} must not be empty.`, field }]);
    }
    expect(await hashState(product)).toEqual(before);
    expect((await send(`${JOINED_TEXTS[0]} ${unique('name')}`)).status).toBe(201);
  });
});
