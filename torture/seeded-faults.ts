/** A fault that somebody could make in a hurry, and the tests that are there to notice. */
export interface SeededFault {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly text: string; readonly replacement: string }[];
  readonly tests: readonly string[];
}

const edit = (file: string, text: string, replacement: string) => ({ file: `src/server/${file}`, text, replacement });

export const SEEDED_FAULTS: readonly SeededFault[] = [
  {
    name: 'a body spread into a row',
    edits: [
      edit(
        'http/serve/checks.ts',
        'return Object.fromEntries(prepared);',
        'return { ...source, ...Object.fromEntries(prepared) };',
      ),
      edit(
        'accounts/signup.ts',
        '{ username, email, password }: BodyOf<typeof signup>',
        '{ username, email, password, ...rest }: BodyOf<typeof signup>',
      ),
      edit('accounts/signup.ts', 'isContested, verifiedAt: null }', 'isContested, verifiedAt: null, ...rest }'),
    ],
    tests: ['tests/api/corpus-bodies.test.ts'],
  },
  {
    name: 'a missing owner check',
    edits: [edit('reviews/routes.ts', 'if (!isOwn && !caller.isAdmin)', 'if (!review)')],
    tests: ['tests/api/access-matrix.test.ts'],
  },
  {
    name: 'a 500 on NUL',
    edits: [edit('http/serve/checks.ts', "return !value.includes('\\0') && value", 'return value')],
    tests: ['tests/api/corpus-fields.test.ts'],
  },
  {
    name: 'the framework’s error body',
    edits: [edit('http/server.ts', 'server.setErrorHandler(handleFailure);', '')],
    tests: ['tests/api/corpus-bodies.test.ts'],
  },
  {
    name: 'the throttle asked after the hash',
    edits: [
      edit(
        'accounts/password-tries.ts',
        'const ownRefusal = await',
        'await isPassword(undefined, password);\n  const ownRefusal = await',
      ),
    ],
    tests: ['tests/api/hash-count.test.ts'],
  },
  {
    name: 'JSON-LD as it is',
    edits: [edit('documents/structured-data.ts', ".replaceAll('<', '\\\\u003c')", '')],
    tests: ['tests/api/documents.test.ts'],
  },
  {
    name: 'a token without an end',
    edits: [
      edit('security/tokens.ts', "requiredClaims: ['exp', ", 'requiredClaims: ['),
      edit('security/tokens.ts', ' || exp === undefined', ''),
      edit('security/tokens.ts', 'expiresAt: exp * 1000', 'expiresAt: exp ? exp * 1000 : Number.POSITIVE_INFINITY'),
    ],
    tests: ['tests/unit/tokens.test.ts'],
  },
  {
    name: 'a redirect that is followed',
    edits: [edit('profiles/model.ts', "redirect: 'error'", "redirect: 'follow'")],
    tests: ['tests/api/recommendation.test.ts'],
  },
  {
    name: 'an answer before the commit',
    edits: [
      edit(
        'database/sqlite.ts',
        '      statements.commit.run();\n',
        '      for (const confirm of confirmations.splice(0)) confirm();\n      await setImmediate();\n      statements.commit.run();\n',
      ),
    ],
    tests: ['tests/unit/commit-order.test.ts'],
  },
  {
    name: 'a stale answer',
    edits: [edit('reviews/routes.ts', 'commit.invalidate(...changes.reviewsChanged(entry, category.kind));', '')],
    tests: ['tests/api/reviews.test.ts'],
  },
  {
    name: 'the reason phrase as the error',
    edits: [edit('http/refusals/refusals.ts', 'new Refusal(404, ', "new Refusal(404, 'Not Found' || ")],
    tests: ['tests/api/corpus-ids.test.ts'],
  },
  {
    name: 'a query in the log',
    edits: [edit('http/request-log.ts', "request.url.split('?', 1)[0] ?? ''", 'request.url')],
    tests: ['tests/api/documents.test.ts'],
  },
];
