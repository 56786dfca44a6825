"""Renders dice on tables, with exact truth: the data factory for pictures and films.

    physics ─ poses ─▶ scene (data, with a seed) ─▶ tracer (Mitsuba) ─ linear light ─▶ develop ─ picture
                              └────────────── truth (values, boxes, upper faces) ──────────▶ JSON

A scene is plain data: what lies where, of which material, under which light, seen by which camera.
Everything random comes from its seed. Training takes thousands of scenes, of every kind that `chances` names; 24 of
them are in docs/pictures/factory.jpg:

    python -m models.training.render.factory --out DIR     scenes: linear light and truth, each from its number
    python -m models.training.render.pictures --data DIR --out SHEET     pictures of them side by side

Two more commands make what `sample_images/` holds:

    python -m models.training.render.table --out DIR     the film table.mp4 and its truth
    python -m models.training.render.stills --out DIR    the still pictures and their truth

All but `pictures` need the `train` dependency group; the film also ffmpeg. They keep finished frames in a work folder
and go on where they were stopped. Mitsuba's fast variant needs LLVM's library: set `DRJIT_LIBLLVM_PATH` where
it is not found by itself.

Lengths are metres, z is up, the felt of the tray is the plane z = 0 with the middle of the tray at the
origin, the camera looks from negative y. Rotations are 3x3 matrices that turn body coordinates into world
coordinates.
"""
