import type pg from 'pg';

/** Single-row updates of `Display` that the given number of writers commit per second, over `duration` ms. */
export async function writesPerSecond(
  pool: pg.Pool,
  column: 'name' | 'cropX2',
  writers: number,
  duration: number,
): Promise<number> {
  const start = performance.now();
  let writes = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = await pool.connect();
      try {
        for (let i = 0; performance.now() - start < duration; i++) {
          // Each writer has its own rows, so that none waits for the locks of another. Each value differs from the previous one.
          const id = `d${1 + ((i * writers + writer) % 1_000)}`;
          await client.query({
            name: `update-${column}`,
            text: `update "Display" set "${column}" = $1 where "displayId" = $2`,
            values: [column === 'name' ? String(i) : 1 + (i % 1_000_000), id],
          });
          writes++;
        }
      } finally {
        client.release();
      }
    }),
  );
  return (writes * 1_000) / (performance.now() - start);
}
