/** How a secret may be written. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // In base64 the same bytes look different at each of three offsets; the characters at the ends depend on the neighbours.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : offset + 1)
      .replace(/.?=*$/, ''),
  );
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...base64];
}

/** Where which secret stands, as `<source>: <name of the secret>`; however it is spelled. */
export function findSecrets(
  texts: ReadonlyMap<string, string>,
  secrets: Readonly<Record<string, string>>,
): string[] {
  const wanted = Object.entries(secrets).map(([name, secret]) => ({ name, spelled: spellings(secret) }));
  return [...texts].flatMap(([source, text]) =>
    wanted
      .filter(({ spelled }) => spelled.some((spelling) => text.includes(spelling)))
      .map(({ name }) => `${source}: ${name}`),
  );
}
