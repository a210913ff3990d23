/**
 * What one candidate writes down about itself, in order; `at` and `validUntil` from one clock that all candidates share.
 *
 * `granted`: the store has confirmed it, and it may act until `validUntil`; written down when its elector has taken it in, and so
 * after a suspension that this ends. `acted`: it acted as leader; `at` is from before it asked whether it may. The others are
 * events of its elector.
 */
export type CandidateEvent = {
  readonly owner: string;
  readonly at: number;
  readonly term: number;
} & (
  | { readonly kind: 'granted'; readonly validUntil: number }
  | { readonly kind: 'acquired' | 'suspended' | 'resumed' | 'lost' | 'acted' }
);
