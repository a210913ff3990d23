export type * from './contract/explanation.js';
export type * from './contract/plan-input.js';
export type * from './contract/plan-result.js';
export type * from './contract/planner-state.js';
