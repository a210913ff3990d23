// The journalled service of a later version. As master it waits only a moment before it raises the level of formats.
import { FormatRise } from '../../../libs/master-election/dist/registry/format-rise.js';

const { look } = FormatRise.prototype;
FormatRise.prototype.look = function (...args) {
  this.options.validity = 2_000;
  return look.apply(this, args);
};
await import('./understands-level-2.mjs');
