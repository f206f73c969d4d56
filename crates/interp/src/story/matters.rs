//! What of a story matters: what is met on the way back from the violation, and the calls in which that happened.

use results::story::{Step, Story, What};

use super::Watcher;

impl Watcher<'_> {
    /// What was watched, as a story: what the violation comes from matters.
    pub(super) fn finish(mut self) -> Story {
        let mut needed = vec![false; self.notes.len()];
        let mut work = vec![self.root];
        while let Some(note) = work.pop() {
            if !std::mem::replace(&mut needed[note as usize], true) {
                work.extend(self.notes[note as usize].iter().copied());
            }
        }
        needed[0] = false;
        let mut steps = Vec::with_capacity(self.steps.len());
        for (mut step, note) in std::mem::take(&mut self.steps) {
            let call = matches!(step.what, What::Call(_) | What::Return(_));
            step.matters = !call && needed[note as usize];
            steps.push(step);
        }
        calls(&mut steps, self.stack.len());
        Story {
            steps,
            inputs: self.inputs,
            objects: self.drawn,
            sliced: self.slicing && self.root != 0,
            left_out: self.left_out,
        }
    }
}

/// A call matters if something inside does, or if the violation is inside.
fn calls(steps: &mut [Step], depth: usize) {
    // From the end backwards: does something deeper matter, by depth?
    let mut inside: Vec<bool> = vec![false; depth + 1];
    let mut open: Vec<bool> = (0..depth).map(|_| true).collect();
    for step in steps.iter_mut().rev() {
        let at = step.depth as usize;
        if inside.len() <= at + 1 {
            inside.resize(at + 2, false);
        }
        if open.len() <= at + 1 {
            open.resize(at + 2, false);
        }
        match step.what {
            What::Return(_) => {
                // What follows backwards is inside of it.
                inside[at] = false;
                open[at] = false;
            }
            What::Call(_) => {
                let inner = at + 1;
                step.matters = inside[inner] || open[inner];
                inside[at] |= step.matters;
                inside[inner] = false;
                open[inner] = false;
            }
            _ => inside[at] |= step.matters,
        }
    }
    // Forwards: a return matters as its call does.
    let mut matters: Vec<bool> = Vec::new();
    for step in steps.iter_mut() {
        let at = step.depth as usize;
        match step.what {
            What::Call(_) => {
                matters.resize(at + 2, false);
                matters[at + 1] = step.matters;
            }
            What::Return(_) => step.matters = matters.get(at).copied().unwrap_or(false),
            _ => {}
        }
    }
}
