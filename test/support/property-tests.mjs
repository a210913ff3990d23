// Property tests try the same cases at every run, so that a run that fails fails again; PROPERTY_SEED=random looks for new ones,
// and the seed that a failure names tries its cases again.
import fc from 'fast-check';

const { PROPERTY_SEED = '20261121' } = process.env;
if (PROPERTY_SEED !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(PROPERTY_SEED) });
