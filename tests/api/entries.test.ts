import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { createEntry, createSchool, createUser, postReview, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

describeProduct('entries on %s', (product) => {
  const admin = adminOf(product);
  const user = userOf(product);

  describe.each(CATEGORIES)('$label', (category) => {
    const { calls, nameField } = category;
    const fields = (name = unique('Entry')): Record<string, string> => ({
      [nameField]: name,
      description: 'Worth a look.',
    });

    test('an admin creates, changes and deletes an entry, and everyone sees it at once', async () => {
      const school = await createSchool(product);
      const list = () => call(product, `GET /auth/${calls.list}/${school.id}`);
      expect((await list()).body).toEqual([]);

      const body: Record<string, string | number> = { ...fields(), schoolId: school.id };
      const created = await call(product, `POST /auth/${calls.create}`, { token: admin.token, body });
      expect(created).toMatchObject({ status: 201, body });
      expect((await list()).body).toEqual([{ ...created.body, isBeingChecked: false }]);
      const { id } = created.body;
      expect((await call(product, `GET /auth/${calls.nameLookup}/${id}`)).body).toEqual({
        [nameField]: body[nameField],
      });
      expect((await call(product, `GET /auth/${calls.details}/${id}`)).body).toEqual({
        id,
        ...body,
        schoolName: school.schoolName,
      });

      const change = { id, ...fields(), ...(category.updateOmitsSchoolId ? {} : { schoolId: school.id }) };
      const changed = await call(product, `PUT /auth/${calls.update}`, { token: admin.token, body: change });
      expect(changed).toMatchObject({ status: 200, body: { ...change, schoolId: school.id } });
      expect((await list()).body).toEqual([{ ...changed.body, isBeingChecked: false }]);

      expect((await call(product, `DELETE /auth/${calls.remove}/${id}`, { token: admin.token })).status).toBe(204);
      expect((await list()).body).toEqual([]);
      expect((await call(product, `GET /auth/${calls.nameLookup}/${id}`)).status).toBe(404);
    });

    test('entries are listed by name', async () => {
      const school = await createSchool(product);
      for (const name of ['rowing', 'Archery', 'Éclair', 'Dance']) {
        const body = { ...fields(name), schoolId: school.id };
        await call(product, `POST /auth/${calls.create}`, { token: admin.token, body });
      }
      const listed = (await call(product, `GET /auth/${calls.list}/${school.id}`)).body;
      expect(listed.map((entry: Record<string, string>) => entry[nameField])).toEqual([
        'Archery',
        'Dance',
        'Éclair',
        'rowing',
      ]);
    });

    test('a list carries the mean and number of each entry as they are, and null without reviews', async () => {
      const entry = await createEntry(product, category);
      const listed = async () => {
        const { status, body } = await call(product, `GET /auth/${calls.list}/${entry.schoolId}`);
        expect(status).toBe(200);
        return body.map(({ averageRating, totalReviews }: Record<string, unknown>) => [averageRating, totalReviews]);
      };
      expect(await listed()).toEqual([[null, 0]]);
      await postReview(product, category, entry.id, user, { rating: 4.5 });
      expect(await listed()).toEqual([[4.5, 1]]);
      const other = await createUser(product);
      const { id } = (await postReview(product, category, entry.id, other, { rating: 2 })).body;
      expect(await listed()).toEqual([[3.25, 2]]);

      const correction = { token: other.token, body: { id, rating: 3, review: 'Better.' } };
      expect((await call(product, `PUT /auth/${calls.updateReview}`, correction)).status).toBe(200);
      expect(await listed()).toEqual([[3.75, 2]]);
      const change = { token: admin.token, body: { id: entry.id, ...fields() } };
      const changed = await call(product, `PUT /auth/${calls.update}`, change);
      expect(changed.body).toMatchObject({ averageRating: 3.75, totalReviews: 2 });

      const withdrawal = await call(product, `DELETE /auth/${calls.removeReview}/${id}`, { token: other.token });
      expect(withdrawal.status).toBe(204);
      expect(await listed()).toEqual([[4.5, 1]]);
    });

    test('an entry is invisible through the calls of the other categories', async () => {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, user);
      for (const { calls: others } of CATEGORIES.filter((other) => other !== category)) {
        const requests = [
          `GET /auth/${others.nameLookup}/${entry.id}`,
          `GET /auth/${others.details}/${entry.id}`,
          `GET /auth/${others.reviews}/${entry.id}`,
          `GET /auth/${others.averageRating}/${entry.id}`,
          `GET /auth/${others.totalReviews}/${entry.id}`,
          `GET /auth/${others.myReview}/${entry.id}`,
          `DELETE /auth/${others.remove}/${entry.id}`,
        ];
        for (const request of requests) {
          // An admin's other calls are limited in number. Deleting what does not exist is not.
          expect((await call(product, request, { token: admin.token })).status, request).toBe(404);
        }
      }
      expect((await call(product, `GET /auth/${calls.totalReviews}/${entry.id}`)).body).toEqual({ totalReviews: 1 });
    });

    test('deleting an entry takes its reviews out of sight', async () => {
      const entry = await createEntry(product, category);
      const review = await postReview(product, category, entry.id, user);
      await call(product, `DELETE /auth/${calls.remove}/${entry.id}`, { token: admin.token });
      expect((await call(product, `GET /auth/getReview/${review.body.id}`)).status).toBe(404);
      expect((await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).status).toBe(404);
    });

    test('only an admin may create, change and delete', async () => {
      const entry = await createEntry(product, category);
      const requests = [
        [`POST /auth/${calls.create}`, { ...fields(), schoolId: entry.schoolId }],
        [`PUT /auth/${calls.update}`, { ...fields(), id: entry.id }],
        [`DELETE /auth/${calls.remove}/${entry.id}`, undefined],
      ] as const;
      for (const [request, body] of requests) {
        expect((await call(product, request, { body })).status).toBe(401);
        expect((await call(product, request, { body, token: user.token })).status).toBe(403);
      }
    });

    test('an unknown school, a missing name and a move to another school are refused', async () => {
      const post = (body: object) => call(product, `POST /auth/${calls.create}`, { token: admin.token, body });
      expect((await call(product, `GET /auth/${calls.list}/999999999`)).status).toBe(404);
      expect((await post({ ...fields(), schoolId: 999_999_999 })).status).toBe(404);
      const entry = await createEntry(product, category);
      expect((await post({ description: 'No name.', schoolId: entry.schoolId })).status).toBe(400);
      expect((await post({ ...fields('  '), schoolId: entry.schoolId })).status).toBe(400);
      if (category.updateOmitsSchoolId) return;
      const elsewhere = await createSchool(product);
      const body = { ...fields(), id: entry.id, schoolId: elsewhere.id };
      expect((await call(product, `PUT /auth/${calls.update}`, { token: admin.token, body })).status).toBe(409);
    });
  });
});
