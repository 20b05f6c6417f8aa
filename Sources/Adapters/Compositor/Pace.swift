import CWlroots
import Seat
import Stage

extension Compositor {
    /// The numbers of the core by which C paces drawing and reading.
    static var pace: mw_pace {
        mw_pace(
            averaging: DrawingPace.averaging, least_averaging: DrawingPace.leastAveraging, unreduced_cost: DrawingPace.unreducedCost,
            capture_averaging: DrawingPace.captureAveraging, between_pictures: DrawingPace.betweenPictures, deferred: DrawingPace.deferred,
            unused_after: DrawingPace.unusedAfter, heavy_area: DrawingPace.heavyArea, plain_area: DrawingPace.plainArea,
            rough_area: DrawingPace.roughArea, fine_scale: DrawingPace.fineScale, scan_out_pause: DrawingPace.scanOutPause,
            pages_kept: DrawingPace.pagesKept, unmap_delay: DrawingPace.unmapDelay, unmap_latest: DrawingPace.unmapLatest,
            unmap_at_once: DrawingPace.unmapAtOnce, unmap_most: DrawingPace.unmapMost, bytes_at_once: ClientLimits.bytesAtOnce,
            stuck_turns: ClientLimits.stuckTurns, events_per_check: ClientLimits.eventsPerCheck, socket_bytes: ClientLimits.socketBytes,
            held_configures: UInt32(ClientLimits.heldConfigures))
    }
}
