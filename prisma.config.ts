import { defineConfig } from 'prisma/config';

// DATABASE_URL is needed by commands that talk to a database only, so that `prisma generate` runs without one.
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
