/** A script that recomputes the hash chain from the public answers alone. docs/moderation.md has the same text. */
export const removalsScript = (origin: string) => `import { hash } from 'node:crypto';
const lines = [];
for (let path = '/auth/getRemovals'; path; ) {
  const answer = await fetch('${origin}' + path);
  lines.unshift(...(await answer.json()).reverse());
  path = /<(.*)>/.exec(answer.headers.get('link'))?.[1];
}
for (let i = 0, last = ''; i < lines.length; last = lines[i++].hash) {
  const { id, at, act, reason, stars, category } = lines[i];
  const right = hash('sha256', \`\${last}\\n\${[id, at, act, reason, stars, category].join('|')}\`);
  if (id !== i + 1 || right !== lines[i].hash) throw new Error(\`Line \${i + 1} is not as it was written.\`);
}
console.log(\`\${lines.length} lines, each as it was written.\`);
`;
