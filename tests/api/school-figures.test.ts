import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { hide } from '../support/moderation.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createSchool, createUser, postReview } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const [athletics, clubs] = CATEGORIES as readonly Category[] as [Category, Category];
const MINUTE = 60_000;

describeProduct('the figures of all schools on %s', (product) => {
  const admin = adminOf(product);
  const read = async (path: string) => {
    const { status, body } = await call(product, `GET /auth/${path}`);
    expect(status).toBe(200);
    return body;
  };
  const namesOf = async (query: string): Promise<string[]> =>
    (await read(`searchSchools?${query}`)).schools.map(({ schoolName }: { schoolName: string }) => schoolName);
  const nextMinute = () => {
    product.clock.ahead += MINUTE;
  };

  test('are those of schools with reviews, a minute behind at most; what is hidden is left out at once', async () => {
    const [one, two] = [await createSchool(product, 'Alpha'), await createSchool(product, 'Beta')];
    await createSchool(product, 'Gamma');
    await createRatedEntry(product, athletics, one.id, [4, 5]);
    await createRatedEntry(product, clubs, one.id, [1.5]);
    const entry = await createRatedEntry(product, clubs, two.id, [3]);
    nextMinute();
    expect(await read('getSchoolFigures')).toEqual([
      [one.id, 3.5, 3],
      [two.id, 3, 1],
    ]);
    expect(await read('getSchoolTotals')).toEqual({ schools: 3, reviewed: 2 });
    const { body: posted } = await postReview(product, clubs, entry.id, await createUser(product), { rating: 5 });
    nextMinute();
    expect((await read('getSchoolFigures'))[1]).toEqual([two.id, 4, 2]);
    await hide(product, admin, posted.id);
    expect((await read('getSchoolFigures'))[1]).toEqual([two.id, 3, 1]);
    await call(product, `DELETE /auth/${clubs.calls.remove}/${entry.id}`, { token: admin.token });
    expect(await read('getSchoolFigures')).toEqual([[one.id, 3.5, 3]]);
    expect(await read('getSchoolTotals')).toEqual({ schools: 3, reviewed: 1 });
  });

  test('sort the schools by their reviews, equal ones by name, and nothing beside a text', async () => {
    await createRatedEntry(product, clubs, (await createSchool(product, 'Delta')).id, [2]);
    await createRatedEntry(product, clubs, (await createSchool(product, 'Aardvark')).id, [2]);
    const reviewed = ['Alpha', 'Aardvark', 'Delta', 'Beta', 'Gamma'];
    expect(await namesOf('order=reviewed')).toEqual(reviewed);
    expect(await namesOf('order=reviewed&q=%20')).toEqual(reviewed);
    expect(await namesOf('order=reviewed&limit=2&before=2')).toEqual(['Delta', 'Beta']);
    const byName = ['Aardvark', 'Alpha', 'Beta', 'Delta', 'Gamma'];
    expect(await namesOf('order=name')).toEqual(byName);
    expect(await namesOf('')).toEqual(byName);
    expect(await namesOf('q=a&order=reviewed')).toEqual(['Aardvark', 'Alpha']);
    const found = (await read('searchSchools?order=reviewed')).schools[3];
    await createRatedEntry(product, clubs, found.id, [5, 5, 5, 5]);
    expect((await namesOf('order=reviewed'))[0]).toBe('Beta');
  });

  test.each(['random', '', 'NAME'])('are not sorted by "%s"', async (order) => {
    const { status, body } = await call(product, `GET /auth/searchSchools?order=${order}`);
    expect([status, body.field]).toEqual([400, 'order']);
  });
});
