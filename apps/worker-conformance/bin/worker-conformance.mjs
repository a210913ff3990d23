#!/usr/bin/env node
// npm links programs when it installs, which is before this package is built in its repository.
import '../dist/main.js';
