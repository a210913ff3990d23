import { defineConfig } from 'prisma/config';

// Only commands that talk to a database need its URL, so that `prisma generate` runs without one.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DIRECT_URL ?? process.env.DATABASE_URL ?? '' },
});
