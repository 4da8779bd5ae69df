import { describe, expect, test } from 'vitest';
import { tags } from '../../src/server/http/cache/tags.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { INJECTIONS } from '../support/corpus/prompts.ts';
import { replyWith } from '../support/model-server.ts';
import { ENGINES } from '../support/product.ts';
import { createUser } from '../support/rows.ts';
import { modelOf, productOf } from '../support/site.ts';

const SCHOOLS = ['Fjord University', 'Prairie College', 'Alpine Institute'];

describe.each(ENGINES)('prompts on %s', (engine) => {
  const { model, asking } = modelOf();
  const product = productOf(engine, asking);

  /** The schools of the site, each with its own facts. */
  async function replaceSchools(description: string): Promise<void> {
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(tags.schools);
      for (const { id } of await db.selectFrom('schools').select('id').execute()) {
        await db.deleteFrom('schools').where('id', '=', id).execute();
        commit.invalidate(tags.school(id));
      }
      for (const schoolName of SCHOOLS) {
        const { id } = await insertSchool(db, { schoolName, location: 'Bergen, Norway', description });
        commit.invalidate(tags.school(id));
      }
    });
  }

  test.each(
    INJECTIONS.flatMap((injection) => [
      { ...injection, from: 'a profile' },
      { ...injection, from: 'a school' },
    ]),
  )('from $from, $name: no reader gets to see it', async ({ text, obeyed, from }) => {
    const user = await createUser(product);
    await replaceSchools(from === 'a school' ? `Marine biology. ${text}` : 'Marine biology.');
    const personal = from === 'a profile' ? text : 'boats';
    const body = { userId: user.id, location: 'Norway', major: 'Marine biology', personal };
    expect((await call(product, 'POST /auth/postProfile', { token: user.token, body })).status).toBe(201);
    model.state.behave = replyWith(obeyed);
    const asked = model.state.prompts.length;
    const answer = await call(product, 'POST /auth/recommendSchool', { token: user.token, body: {} });
    expect(answer.status).toBe(200);
    expect(model.state.prompts.length).toBe(asked + 1);
    const prompt = model.state.prompts.at(-1) ?? '';
    for (const secret of [user.email, user.username, user.token]) expect(prompt).not.toContain(secret);
    expect(prompt.match(/<\/preferences>/g)).toHaveLength(1);
    expect(answer.body).toContain('(Chosen by our own built-in rules. The AI model could not answer.)');
    expect(SCHOOLS.filter((name) => answer.body.includes(name))).toHaveLength(1);
    const [said = ''] = answer.body.split('\n\n(');
    if (obeyed.trim() !== '') expect(said).not.toContain(obeyed);
  });
});
