import { beforeAll, expect, test } from 'vitest';
import { problemsOf } from '../support/corpus/case.ts';
import { fileCases, HOSTS, REDIRECT_ATTEMPTS } from '../support/corpus/paths.ts';
import {
  exchange,
  hasFirstAnswer,
  ODD_CASES,
  RAW_CASES,
  type RawCase,
  readFirstAnswer,
  SILENT_CASES,
} from '../support/corpus/raw-http.ts';
import { expectAnswers, expectRefusals } from '../support/corpus/run.ts';
import { createSchool } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';
import { hashState } from '../support/state.ts';

describeProduct('bytes and paths on %s', { PUBLIC_URL: 'https://reviews.example' }, (product) => {
  const world = worldOf(product);
  let schoolId: number;

  beforeAll(async () => {
    schoolId = (await createSchool(product)).id;
  });

  /** Exchanges all cases; nothing of the product may change by any of them. */
  async function expectExchanges(
    cases: readonly RawCase[],
    look: (one: RawCase, text: string) => string[],
    isEnough?: typeof hasFirstAnswer,
  ) {
    const before = await hashState(product);
    const problems: string[] = [];
    for (const one of cases) {
      const text = await exchange(product, one.bytes, isEnough);
      for (const problem of look(one, text)) problems.push(`${one.name}: ${problem}`);
    }
    expect(problems).toEqual([]);
    expect(await hashState(product)).toEqual(before);
    expect((await exchange(product, '', hasFirstAnswer)).startsWith('HTTP/1.1 200 ')).toBe(true);
  }

  test('what is no HTTP is refused, and nothing after it on the line is served', () =>
    expectExchanges(RAW_CASES, ({ status }, text) => {
      const { reply, count } = readFirstAnswer(text);
      const problems = problemsOf({ status }, reply);
      if (count !== 1) problems.push(`${count} answers`);
      if (reply.headers.connection !== 'close') problems.push('the line stays open');
      return problems;
    }));

  test('what Node answers by itself has an empty body', () =>
    expectExchanges(SILENT_CASES, ({ status = 0 }, text) => {
      const { reply, count } = readFirstAnswer(text);
      return reply.status === status && reply.text === '' && count <= 1 ? [] : [text];
    }));

  test('unusual but valid HTTP is answered as usual', () =>
    expectExchanges(
      ODD_CASES,
      ({ bytes, status = 0 }, text) => {
        const { reply } = readFirstAnswer(text);
        const [method, path] = String(bytes).split(' ');
        if (reply.status !== status) return [`status ${reply.status}, not ${status}`];
        return status >= 400 ? problemsOf({ method, path, status }, reply) : [];
      },
      hasFirstAnswer,
    ));

  test('no address gives a file that is not of the built product', async () => {
    await expectRefusals(world, fileCases());
  });

  test('a path without a file or page is the "not found" page', async () => {
    const cases = ['//auth/schools', '///etc/passwd', '/file:///etc/passwd', '/data/', '/assets/'].map((path) => ({
      ...{ name: 'no page', method: 'GET', path },
    }));
    await expectAnswers(world, cases, (_one, { status, text }) =>
      status === 404 && text.includes('<title>Page not found') ? [] : [`status ${status}, ${text.slice(0, 80)}`],
    );
  });

  test('no address leads elsewhere', async () => {
    const cases = REDIRECT_ATTEMPTS.map((path) => ({ name: 'lure', method: 'GET', path }));
    await expectAnswers(world, cases, ({ path }, { headers: { location, refresh }, text }) => {
      const told = [location, refresh].filter((one) => one !== undefined && !/^\/\w/.test(String(one)));
      const isEchoed = text.includes('elsewhere.example');
      return [...told.map((one) => `leads to ${one}`), ...(isEchoed ? [`${path} is in the answer`] : [])];
    });
  });

  test('links name this site, whatever a request says it is called', async () => {
    const paths = ['/landing', `/school/${schoolId}`, '/sitemap.xml', '/robots.txt', '/auth/schools', '/'];
    const cases = HOSTS.flatMap((headers) =>
      paths.map((path) => ({ name: JSON.stringify(headers), method: 'GET', path, headers })),
    );
    await expectAnswers(world, cases, (_one, { status, headers, text }) => {
      const said = `${headers.location ?? ''} ${headers.link ?? ''} ${text}`;
      const problems = /elsewhere|:666|<script>/.test(said) ? [`said ${said.slice(0, 200)}`] : [];
      return status === 200 || status === 302 ? problems : [...problems, `status ${status}`];
    });
  });
});
