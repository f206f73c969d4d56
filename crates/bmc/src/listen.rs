//! Questions to solvers, as listeners hear of them.

use std::sync::Arc;

use results::Sink;
use results::engine::Question;
use solve::{Asked, Listener};

/// Tells a sink of every question that a solver is asked for this purpose.
pub(crate) fn listener(sink: &Arc<dyn Sink>, what: &'static str) -> Option<Listener> {
    let sink = Arc::clone(sink);
    Some(Listener(Arc::new(move |asked: &Asked<'_>| {
        sink.asked(&Question {
            what,
            solver: asked.solver,
            answer: asked.word(),
            time: asked.time,
            size: &|| asked.size(),
            script: &|| asked.script(),
            model: &|| asked.model(),
        });
    })))
}
