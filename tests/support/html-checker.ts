import { HtmlValidate } from 'html-validate';

const checker = new HtmlValidate({
  // The rules of the standard, of whole documents and of accessibility. `recommended` adds rules of style, such as the
  // case of attribute names: React decides on that, and it has no effect.
  extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // "Get Started" is a button by specification, and leads on without a script as only a link can.
    'prefer-native-element': ['error', { exclude: ['button'] }],
    // An integrity hash of an own file protects nobody: an attacker who can change the file can change the hash.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
});

/** The link to a script of the product that was added after loading: it has the whole address. */
const OWN_SCRIPT = /(<link rel="modulepreload"[^>]* href=")http:\/\/127\.0\.0\.1:\d+\//g;

/** The errors of a document, a line each; of the same error in many places only the first. */
export async function htmlProblems(html: string): Promise<string[]> {
  const { results } = await checker.validateString(html.replaceAll(OWN_SCRIPT, '$1/'));
  const problems = results.flatMap(({ messages }) => messages);
  return [
    ...new Map(
      problems.map(({ ruleId, message, selector }) => [message, `${ruleId}: ${message} ${selector}`]),
    ).values(),
  ];
}
