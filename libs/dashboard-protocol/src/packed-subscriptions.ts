import type { Rows, SubscriptionRow } from './dashboard-view.js';

type Field = Exclude<keyof SubscriptionRow, 'subscriptionIdentifier'>;

/** One field of all rows. Row `i` has the value `values[places[i]]`. */
export interface PackedColumn<T> {
  /** Each value once. */
  readonly values: readonly T[];
  readonly places: readonly number[];
}

/** Subscriptions in columns. In rows, JSON repeats the names of all fields and most values, and a cluster has many rows. */
export interface PackedSubscriptions {
  readonly identifiers: readonly string[];
  readonly columns: { readonly [F in Field]: PackedColumn<SubscriptionRow[F]> };
}

export function packSubscriptions(rows: Rows<SubscriptionRow>): PackedSubscriptions {
  const all = Object.values(rows);
  const column = <F extends Field>(field: F) => packColumn(all.map((row) => row[field]));
  return {
    identifiers: all.map(({ subscriptionIdentifier }) => subscriptionIdentifier),
    columns: {
      workerUrl: column('workerUrl'),
      model: column('model'),
      version: column('version'),
      status: column('status'),
      reason: column('reason'),
      detail: column('detail'),
      since: column('since'),
    },
  };
}

/** Rows by identifier. Identifiers are untrusted, so the object has no prototype whose names they could hit. */
export function unpackSubscriptions({ identifiers, columns }: PackedSubscriptions): Rows<SubscriptionRow> {
  const { workerUrl, model, version, status, reason, detail, since } = columns;
  const rows = Object.create(null) as Record<string, SubscriptionRow>;
  identifiers.forEach((subscriptionIdentifier, index) => {
    rows[subscriptionIdentifier] = {
      subscriptionIdentifier,
      workerUrl: valueAt(workerUrl, index),
      model: valueAt(model, index),
      version: valueAt(version, index),
      status: valueAt(status, index),
      reason: valueAt(reason, index),
      detail: valueAt(detail, index),
      since: valueAt(since, index),
    };
  });
  return rows;
}

function packColumn<T>(all: readonly T[]): PackedColumn<T> {
  const places = new Map<T, number>();
  return {
    places: all.map((value) => {
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, places.size);
      return places.size - 1;
    }),
    values: [...places.keys()],
  };
}

function valueAt<T>({ values, places }: PackedColumn<T>, index: number): T {
  return values[places[index]!]!;
}
